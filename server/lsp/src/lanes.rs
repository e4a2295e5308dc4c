//! The order of batches: those that share a document one after the other as they arrived, others side by side.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::uri_key::UriKey;

/// For every document with a batch on it, the batches in order.
#[derive(Clone, Default)]
pub(crate) struct Lanes {
    queues: Arc<Mutex<Queues>>,
}

/// Two places are the same one if they are woken by the same bell.
type Queues = HashMap<UriKey, VecDeque<Arc<Notify>>>;

/// A batch's place in the lanes of its documents. Dropping it lets the next one go, also after a panic.
pub(crate) struct Turn {
    lanes: Lanes,
    keys: Vec<UriKey>,
    bell: Arc<Notify>,
}

impl Lanes {
    /// Takes the next place in all of these lanes at once, so that no two batches can wait for each other.
    pub(crate) fn take(&self, keys: Vec<UriKey>) -> Turn {
        let bell = Arc::new(Notify::new());
        let mut queues = self.lock();
        for key in &keys {
            queues.entry(key.clone()).or_default().push_back(bell.clone());
        }
        drop(queues);
        Turn { lanes: self.clone(), keys, bell }
    }

    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// Waits until every batch in front is done. Does not yield where there is none.
    pub(crate) async fn come(&self) {
        while !self.is_first() {
            self.bell.notified().await;
        }
    }

    fn is_first(&self) -> bool {
        let queues = self.lanes.lock();
        let is_ours = |it: &Arc<Notify>| Arc::ptr_eq(it, &self.bell);
        self.keys.iter().all(|key| queues.get(key).and_then(VecDeque::front).is_some_and(is_ours))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut queues = self.lanes.lock();
        for key in &self.keys {
            let Some(queue) = queues.get_mut(key) else { continue };
            // A cancelled batch leaves from the middle: those behind still wait for those in front of it.
            queue.retain(|it| !Arc::ptr_eq(it, &self.bell));
            match queue.front() {
                Some(next) => next.notify_one(),
                None => drop(queues.remove(key)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    fn keys(names: &[&str]) -> Vec<UriKey> {
        names.iter().map(|it| UriKey::of(it)).collect()
    }

    fn has_come(turn: &Turn) -> bool {
        turn.come().now_or_never().is_some()
    }

    #[test]
    fn a_free_lane_is_entered_at_once() {
        assert!(has_come(&Lanes::default().take(keys(&["a:a", "a:b"]))));
    }

    #[test]
    fn batches_that_share_a_document_wait_in_order() {
        let lanes = Lanes::default();
        let first = lanes.take(keys(&["a:a", "a:b"]));
        let second = lanes.take(keys(&["a:b", "a:c"]));
        let third = lanes.take(keys(&["a:c"]));
        let other = lanes.take(keys(&["a:d"]));
        assert!(has_come(&other));
        assert!(!has_come(&second));
        drop(first);
        assert!(!has_come(&third) && has_come(&second));
        drop(second);
        assert!(has_come(&third));
    }

    #[test]
    fn a_batch_that_leaves_does_not_let_others_past_those_in_front() {
        let lanes = Lanes::default();
        let first = lanes.take(keys(&["a:a"]));
        let second = lanes.take(keys(&["a:a"]));
        let third = lanes.take(keys(&["a:a"]));
        drop(second);
        assert!(!has_come(&third));
        drop(first);
        assert!(has_come(&third));
    }

    #[tokio::test]
    async fn the_next_one_is_woken() {
        let lanes = Lanes::default();
        let first = lanes.take(keys(&["a:a", "a:b"]));
        let second = lanes.take(keys(&["a:b", "a:a"]));
        let ((), ()) = tokio::join!(second.come(), async { drop(first) });
    }

    #[test]
    fn nothing_stays_behind() {
        let lanes = Lanes::default();
        let first = lanes.take(keys(&["a:a"]));
        let second = lanes.take(keys(&["a:a"]));
        drop(first);
        drop(second);
        assert!(lanes.lock().is_empty());
    }
}
