//! The properties, over batches of small samples and over texts of any kind. `PROPTEST_CASES` asks for more.

use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any, prop_oneof, proptest};
use proptest::strategy::{Just, Strategy};

use crate::choices::Choices;
use crate::properties::hold;
use crate::samples::{Sample, batch, texts};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_must_be_true_of_every_plan_is(sample in samples()) {
        hold(&sample);
    }

    #[test]
    fn it_is_whatever_the_texts(sample in any_texts()) {
        hold(&sample);
    }
}

fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(1_500);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 20_000, ..ProptestConfig::default() }
}

fn samples() -> impl Strategy<Value = Sample> {
    vec(any::<u8>(), 0..240).prop_map(|bytes| batch(&mut Choices::new(&bytes)))
}

fn any_texts() -> impl Strategy<Value = Sample> {
    let byte = prop_oneof![4 => 0x20_u8..0x7f, 2 => Just(b' '), 2 => Just(b'\n'), 1 => Just(0xff), 1 => any::<u8>()];
    vec(byte, 0..160).prop_map(|bytes| texts(&bytes))
}
