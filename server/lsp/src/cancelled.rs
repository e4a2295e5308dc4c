//! A request that is cancelled before anything was sent to the editor ends at once, with nothing changed.

use tokio_util::sync::CancellationToken;

use crate::refusal::Refusal;

/// What `work` gives, unless the request is cancelled before it is done.
pub(crate) async fn unless_cancelled<T>(
    cancellation: &CancellationToken,
    work: impl Future<Output = Result<T, Refusal>>,
) -> Result<T, Refusal> {
    tokio::select! {
        biased;
        () = cancellation.cancelled() => Err(Refusal::Cancelled),
        done = work => done,
    }
}
