//! What editors do with files as such: `create`, `rename` and `delete` in an edit, each in the manner of its character.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::character::Character;
use crate::editor::Editor;

/// The text edits of an edit, and what is to be done with files behind them.
pub(crate) fn split(edit: &Value) -> (Vec<Value>, Vec<Operation>) {
    let entries = edit["documentChanges"].as_array().cloned().unwrap_or_default();
    let (mut texts, mut operations): (Vec<Value>, Vec<Operation>) = (vec![], vec![]);
    for entry in entries {
        if entry["kind"].is_string() {
            operations.push(Operation { entry, content: None });
        } else if let Some(created) = operations.iter_mut().find(|it| it.entry["uri"] == entry["textDocument"]["uri"]) {
            created.content = entry["edits"][0]["newText"].as_str().map(str::to_owned);
        } else {
            texts.push(entry);
        }
    }
    (texts, operations)
}

/// One of them; with what is put into a created file.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) entry: Value,
    pub(crate) content: Option<String>,
}

impl Operation {
    /// The file it is known by.
    pub(crate) fn uri(&self) -> &str {
        let uri = if self.entry["kind"] == "rename" { &self.entry["newUri"] } else { &self.entry["uri"] };
        uri.as_str().expect("it was checked")
    }
}

/// The path that a `file:` URI names.
pub(crate) fn path_of(uri: &str) -> Option<PathBuf> {
    let mut rest = uri.strip_prefix("file://")?.as_bytes();
    let mut path = vec![];
    while let Some((&first, after)) = rest.split_first() {
        let escaped = after.get(..2).filter(|_| first == b'%').and_then(|it| std::str::from_utf8(it).ok());
        let escaped = escaped.and_then(|it| u8::from_str_radix(it, 16).ok());
        path.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    Some(PathBuf::from(String::from_utf8(path).ok()?))
}

impl Editor {
    /// Does it, and says which document it has changed, if it shows one.
    ///
    /// # Errors
    /// Why it stops there.
    pub(crate) fn operate(&mut self, operation: &Operation, is_shown: bool) -> Result<Option<String>, String> {
        let uri = |field: &str| operation.entry[field].as_str().unwrap_or_default().to_owned();
        match operation.entry["kind"].as_str() {
            Some("create") => self.create(&uri("uri"), operation, is_shown),
            Some("rename") => self.rename(&uri("oldUri"), &uri("newUri")).map(|()| None),
            Some("delete") => self.delete(&uri("uri")).map(|()| None),
            _ => Err("an operation it does not know".to_owned()),
        }
    }

    fn create(&mut self, uri: &str, operation: &Operation, is_shown: bool) -> Result<Option<String>, String> {
        let path = path_of(uri).ok_or("no file")?;
        let option = |name: &str| operation.entry["options"][name] == true;
        let leaves_alone = option("ignoreIfExists") && !option("overwrite");
        if self.setup.character == Character::AnswersFirst && path.exists() && !leaves_alone {
            return Err(format!("{} exists", path.display()));
        }
        if !(path.exists() && leaves_alone) {
            fs::create_dir_all(path.parent().ok_or("no folder")?).map_err(|it| it.to_string())?;
            fs::write(&path, "").map_err(|it| it.to_string())?;
        }
        let Some(content) = operation.content.as_ref().filter(|_| is_shown) else { return Ok(None) };
        if !self.documents.contains_key(uri) && !self.open_file(uri) {
            return Err("it cannot be opened".to_owned());
        }
        let telling = self.setup.character.telling();
        self.document_mut(uri).change(&[(0..0, content.clone())], telling);
        Ok(Some(uri.to_owned()))
    }

    fn rename(&mut self, old: &str, new: &str) -> Result<(), String> {
        let (from, to) = (path_of(old).ok_or("no file")?, path_of(new).ok_or("no file")?);
        if to.exists() {
            // Neovim says so, and goes on as if all were well.
            let goes_on = self.setup.character == Character::InPieces;
            return if goes_on { Ok(()) } else { Err(format!("{} exists", to.display())) };
        }
        fs::create_dir_all(to.parent().ok_or("no folder")?).map_err(|it| it.to_string())?;
        fs::rename(&from, &to).map_err(|it| it.to_string())?;
        if self.documents.contains_key(old) {
            let mut text = self.text(old).to_owned();
            self.close(old);
            if self.setup.character == Character::InPieces && !text.ends_with('\n') {
                text.push('\n');
                fs::write(&to, &text).map_err(|it| it.to_string())?;
            }
            self.open(new, &text);
        }
        Ok(())
    }

    fn delete(&mut self, uri: &str) -> Result<(), String> {
        let path = path_of(uri).ok_or("no file")?;
        fs::remove_file(path).map_err(|it| it.to_string())?;
        // Helix goes on showing it.
        if self.setup.character != Character::ChangesFirst && self.documents.contains_key(uri) {
            self.close(uri);
        }
        Ok(())
    }

    /// What holds for the file operations of an edit.
    pub(crate) fn check_operations(&self, edit: &Value) -> Result<(), String> {
        let entries = edit["documentChanges"].as_array().cloned().unwrap_or_default();
        let is_operation = |it: &&Value| it["kind"].is_string();
        let first = entries.iter().position(|it| is_operation(&it)).unwrap_or(entries.len());
        for (number, entry) in entries.iter().enumerate().skip(first) {
            let before = &entries[number - 1.min(number)];
            let fills = before["kind"] == "create" && before["uri"] == entry["textDocument"]["uri"];
            if !is_operation(&entry) && !fills {
                return Err("an edit of a text behind what is done with files".to_owned());
            }
        }
        let kinds: Vec<_> = entries.iter().filter_map(|it| it["kind"].as_str()).collect();
        let rank = |it: &str| ["create", "rename", "delete"].iter().position(|kind| *kind == it);
        if kinds.iter().any(|it| rank(it).is_none()) || !kinds.iter().map(|it| rank(it)).is_sorted() {
            return Err("what cannot be taken back is not last".to_owned());
        }
        for entry in entries.iter().filter(is_operation) {
            if entry["options"]["overwrite"] == true || entry["options"]["recursive"] == true {
                return Err("more than one file's worth".to_owned());
            }
            let truncates = self.setup.character != Character::AnswersFirst;
            if truncates && entry["kind"] == "create" && entry["options"]["ignoreIfExists"] != true {
                return Err("a file that is there would be emptied".to_owned());
            }
        }
        Ok(())
    }
}
