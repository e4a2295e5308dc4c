//! The means to drive the built server over real stdio: a process with deadlines, and a fake editor.
//!
//! Written from the protocol alone, with nothing of the product in it, so that both can be wrong in different places only.
//! Faults panic, with all that is known, since the only caller is a test.

mod applying;
mod asking;
mod batch;
pub mod cases;
mod character;
mod document;
mod editor;
mod folder;
mod frame;
mod operating;
mod positions;
mod progress;
mod questions;
mod random;
mod received;
mod rpc;
mod saving;
mod server;
mod sha256;
mod text_edits;
mod typing;

pub use applying::{Application, Reaction};
pub use batch::{batch, document};
pub use character::Character;
pub use editor::{Editor, FEATURES, Saves, Setup};
pub use folder::Folder;
pub use frame::frame;
pub use positions::{Encoding, is_between, offset, position, range, span};
pub use progress::{Creating, Progress};
pub use questions::Question;
pub use random::Random;
pub use rpc::{Kind, kind, notification, request, response, response_error};
pub use server::{DEADLINE, Output, Server};
pub use sha256::sha256;
