//! The engine held against a naive reading of its specification, and against what must be true of every plan.

mod choices;
mod chosen;
mod every_plan;
mod found;
mod indentation;
mod line_twin;
mod naive;
mod properties;
mod samples;
mod twin;
