//! A request that is cancelled before anything was sent to the editor ends at once, with nothing changed; and so does one
//! while the editor asks the person, which cannot be taken back.

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

/// The same while the editor asks the person: until that is `answered`. `work` goes on without whoever waits for it.
pub(crate) async fn unless_cancelled_in_review<T>(
    cancellation: &CancellationToken,
    answered: &CancellationToken,
    work: impl Future<Output = Result<T, Refusal>>,
) -> Result<T, Refusal> {
    let cancelled = async {
        cancellation.cancelled().await;
        if answered.is_cancelled() {
            // What the person has decided is under way.
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        biased;
        done = work => done,
        () = cancelled => Err(Refusal::CancelledInReview),
    }
}
