//! What must be true of every plan, over texts of any kind.
#![no_main]
#![allow(dead_code)]

#[path = "../../tests/careful/choices.rs"]
mod choices;
#[path = "../../tests/careful/properties.rs"]
mod properties;
#[path = "../../tests/careful/samples.rs"]
mod samples;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    properties::hold(&samples::texts(bytes));
});
