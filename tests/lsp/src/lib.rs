//! Fake editors and the means to drive the built server with them.
