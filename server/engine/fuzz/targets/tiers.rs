//! Every tier beside a naive reading of the specification.
#![no_main]
#![allow(dead_code)]

#[path = "../../tests/careful/choices.rs"]
mod choices;
#[path = "../../tests/careful/naive/mod.rs"]
mod naive;
#[path = "../../tests/careful/properties.rs"]
mod properties;
#[path = "../../tests/careful/samples.rs"]
mod samples;
#[path = "../../tests/careful/twin.rs"]
mod twin;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let sample = twin::TwinSample::of(bytes);
    if let Err(why) = sample.judge() {
        panic!("{why}\n{sample:?}");
    }
});
