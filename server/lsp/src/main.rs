//! A language server that applies agents' edits through the editor.

fn main() {}
