//! The means to drive the built server over real stdio: a process with deadlines, and a fake editor.
//!
//! Written from the protocol alone, with nothing of the product in it, so that both can be wrong in different places only.
//! Faults panic, with all that is known, since the only caller is a test.

mod frame;
mod rpc;
mod server;

pub use frame::frame;
pub use rpc::{Kind, kind, notification, request, response, response_error};
pub use server::{DEADLINE, Output, Server};
