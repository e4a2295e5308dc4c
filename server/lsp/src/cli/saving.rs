//! Files are written all or none: staged beside their places, compared with what was read, and then put there; what is to
//! go is put aside until all else is done.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::problem::Problem;
use super::project_file::ProjectFile;

/// What is to be done with a file as such.
#[derive(Clone, Debug)]
pub(crate) struct FileStep {
    /// As the person names it.
    pub(crate) name: String,
    pub(crate) what: FileWhat,
}

/// The kinds, with the places.
#[derive(Clone, Debug)]
pub(crate) enum FileWhat {
    Create { path: PathBuf, content: String },
    Rename { old: PathBuf, new: PathBuf },
    Delete { path: PathBuf },
}

/// Gives every file its new text, and does `steps` with files as such. First everything is written beside the files and
/// brought to the disk, then all files are compared with what was read, and only then is each replaced in one step.
pub(crate) fn save(changes: &[(&ProjectFile, &str)], steps: &[FileStep]) -> Result<(), Problem> {
    let mut staged = vec![];
    for (file, text) in changes {
        staged.push(stage(file, text)?);
    }
    for (file, _) in changes {
        let now = fs::read(&file.path);
        if now.map_or(true, |now| now != file.text.as_bytes()) {
            return Err(Problem::ChangedOnDisk { name: file.name.clone() });
        }
    }
    let done = replace_all(changes, staged, Done::default())?;
    let done = do_all(steps, done)?;
    // Only now is anything lost.
    done.aside.into_iter().for_each(drop);
    Ok(())
}

/// What has been done, so that it can be taken back: the last first.
#[derive(Default)]
struct Done {
    undo: Vec<Undo>,
    /// The old places of files that are to go, each under another name, and gone when dropped.
    aside: Vec<tempfile::TempPath>,
}

struct Undo {
    /// Of the file.
    name: String,
    back: Box<dyn FnOnce() -> io::Result<()>>,
}

impl Done {
    fn push(&mut self, name: &str, back: impl FnOnce() -> io::Result<()> + 'static) {
        self.undo.push(Undo { name: name.to_owned(), back: Box::new(back) });
    }

    /// Takes all of it back, and says what `error` at `name` then has left behind.
    fn failed(self, name: &str, error: io::Error) -> Problem {
        // What was put aside is there again, under its own name.
        let mut written = vec![];
        for undo in self.undo.into_iter().rev() {
            if (undo.back)().is_err() {
                written.push(undo.name);
            }
        }
        for it in self.aside {
            let _ = it.keep();
        }
        Problem::Unwritable { name: name.to_owned(), error, written }
    }
}

fn replace_all(changes: &[(&ProjectFile, &str)], staged: Vec<NamedTempFile>, mut done: Done) -> Result<Done, Problem> {
    for (staged, (file, _)) in staged.into_iter().zip(changes) {
        if let Err(error) = replace(staged, &file.path) {
            return Err(done.failed(&file.name, error));
        }
        let (path, text) = (file.path.clone(), file.text.clone());
        done.push(&file.name, move || {
            let permissions = fs::metadata(&path)?.permissions();
            replace(staged_with(&path, &text, permissions)?, &path)
        });
    }
    Ok(done)
}

fn do_all(steps: &[FileStep], mut done: Done) -> Result<Done, Problem> {
    for step in steps {
        if let Err(error) = do_one(step, &mut done) {
            return Err(done.failed(&step.name, error));
        }
    }
    Ok(done)
}

fn do_one(step: &FileStep, done: &mut Done) -> io::Result<()> {
    match &step.what {
        FileWhat::Create { path, content } => {
            make_folder(parent(path), &step.name, done)?;
            let mut staged = new_file().prefix(".agent-edit-").tempfile_in(parent(path))?;
            staged.write_all(content.as_bytes())?;
            staged.as_file().sync_all()?;
            staged.persist_noclobber(path)?;
            let path = path.clone();
            done.push(&step.name, {
                let path = path.clone();
                move || fs::remove_file(path)
            });
            sync_folder(&path)
        }
        FileWhat::Rename { old, new } => {
            make_folder(parent(new), &step.name, done)?;
            move_to_free_place(old, new)?;
            let (back, from) = (old.clone(), new.clone());
            done.push(&step.name, move || move_to_free_place(&from, &back));
            sync_folder(old)?;
            sync_folder(new)
        }
        FileWhat::Delete { path } => {
            let aside = tempfile::Builder::new().prefix(".agent-edit-").tempfile_in(parent(path))?.into_temp_path();
            fs::rename(path, &aside)?;
            let (from, back) = (aside.to_path_buf(), path.clone());
            done.aside.push(aside);
            done.push(&step.name, move || move_to_free_place(&from, &back));
            sync_folder(path)
        }
    }
}

/// Makes the folders that are missing on the way.
fn make_folder(folder: &Path, name: &str, done: &mut Done) -> io::Result<()> {
    let missing: Vec<_> = folder.ancestors().take_while(|it| !it.exists()).map(Path::to_owned).collect();
    for it in missing.into_iter().rev() {
        fs::create_dir(&it)?;
        done.push(name, move || fs::remove_dir(it));
    }
    Ok(())
}

/// Renaming replaces what is there.
fn move_to_free_place(from: &Path, to: &Path) -> io::Result<()> {
    match fs::symlink_metadata(to) {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::rename(from, to),
        Err(error) => Err(error),
    }
}

/// What makes a file with the mode that new files have.
fn new_file() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder
}

fn stage(file: &ProjectFile, content: &str) -> Result<NamedTempFile, Problem> {
    let failed = |error| Problem::Unwritable { name: file.name.clone(), error, written: vec![] };
    let permissions = fs::metadata(&file.path).map_err(failed)?.permissions();
    if permissions.readonly() {
        return Err(Problem::ReadOnly { name: file.name.clone() });
    }
    staged_with(&file.path, content, permissions).map_err(failed)
}

fn staged_with(path: &Path, content: &str, permissions: Permissions) -> io::Result<NamedTempFile> {
    let mut staged = tempfile::Builder::new().prefix(".agent-edit-").tempfile_in(parent(path))?;
    staged.write_all(content.as_bytes())?;
    staged.as_file().set_permissions(permissions)?;
    staged.as_file().sync_all()?;
    Ok(staged)
}

fn replace(staged: NamedTempFile, path: &Path) -> io::Result<()> {
    staged.persist(path)?;
    sync_folder(path)
}

/// A new name reaches the disk with its folder.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(parent(path))?.sync_all()?;
    }
    Ok(())
}

fn parent(path: &Path) -> &Path {
    path.parent().expect("a file stands in a folder")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Done, FileStep, FileWhat, replace_all, save, stage};
    use crate::cli::problem::Problem;
    use crate::cli::project_file::{ProjectFile, Root};

    fn project(files: &[(&str, &str)]) -> (tempfile::TempDir, Vec<ProjectFile>) {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let root = Root::open(folder.path()).unwrap();
        let files = files.iter().map(|(name, _)| root.file(name).unwrap()).collect();
        (folder, files)
    }

    #[track_caller]
    fn check(folder: &tempfile::TempDir, expected: &[(&str, &str)]) {
        let mut names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, expected.iter().map(|it| it.0).collect::<Vec<_>>(), "nothing is left behind");
        for (name, content) in expected {
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), *content, "{name}");
        }
    }

    #[test]
    fn all_are_written_byte_for_byte() {
        let (folder, files) = project(&[("a", "1\r\n"), ("b", "\u{feff}1")]);
        save(&[(&files[0], "2\r\n"), (&files[1], "\u{feff}2")], &[]).unwrap();
        check(&folder, &[("a", "2\r\n"), ("b", "\u{feff}2")]);
    }

    #[test]
    fn one_that_changed_on_disk_holds_all_of_them_back() {
        let (folder, files) = project(&[("a", "1"), ("b", "1")]);
        fs::write(folder.path().join("b"), "theirs").unwrap();
        let problem = save(&[(&files[0], "2"), (&files[1], "2")], &[]).unwrap_err();
        assert!(matches!(&problem, Problem::ChangedOnDisk { name } if name == "b"), "{problem}");
        check(&folder, &[("a", "1"), ("b", "theirs")]);
    }

    #[test]
    fn one_that_is_gone_or_locked_holds_all_of_them_back() {
        let (folder, files) = project(&[("a", "1"), ("b", "1")]);
        let mut permissions = fs::metadata(&files[1].path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&files[1].path, permissions).unwrap();
        let problem = save(&[(&files[0], "2"), (&files[1], "2")], &[]).unwrap_err();
        assert!(matches!(&problem, Problem::ReadOnly { name } if name == "b"), "{problem}");
        check(&folder, &[("a", "1"), ("b", "1")]);
        fs::remove_file(&files[1].path).unwrap();
        assert!(save(&[(&files[0], "2"), (&files[1], "2")], &[]).is_err());
        check(&folder, &[("a", "1")]);
    }

    #[test]
    fn where_one_cannot_be_replaced_the_others_are_taken_back() {
        let (folder, files) = project(&[("a", "1"), ("b", "1")]);
        let changes = [(&files[0], "2"), (&files[1], "2")];
        let staged = changes.map(|(file, text)| stage(file, text).unwrap()).into();
        fs::remove_file(&files[1].path).unwrap();
        fs::create_dir(&files[1].path).unwrap();
        let problem = replace_all(&changes, staged, Done::default()).map(drop).unwrap_err();
        assert!(matches!(&problem, Problem::Unwritable { written, .. } if written.is_empty()), "{problem}");
        fs::remove_dir(&files[1].path).unwrap();
        check(&folder, &[("a", "1")]);
    }

    fn steps(folder: &tempfile::TempDir, last: FileWhat) -> Vec<FileStep> {
        let path = |name: &str| folder.path().join(name);
        let create = FileWhat::Create { path: path("new/deep/c"), content: "3".to_owned() };
        let rename = FileWhat::Rename { old: path("a"), new: path("moved/a") };
        let all = [create, rename, FileWhat::Delete { path: path("b") }, last];
        all.into_iter().map(|what| FileStep { name: "x".to_owned(), what }).collect()
    }

    #[test]
    fn files_are_created_renamed_and_deleted_behind_the_texts() {
        let (folder, files) = project(&[("a", "1"), ("b", "1"), ("c", "1")]);
        let last = FileWhat::Delete { path: folder.path().join("c") };
        save(&[(&files[0], "2")], &steps(&folder, last)).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("new/deep/c")).unwrap(), "3");
        assert_eq!(fs::read_to_string(folder.path().join("moved/a")).unwrap(), "2");
        fs::remove_dir_all(folder.path().join("new")).unwrap();
        fs::remove_dir_all(folder.path().join("moved")).unwrap();
        check(&folder, &[]);
    }

    #[test]
    fn where_one_step_fails_all_are_taken_back() {
        let (folder, files) = project(&[("a", "1"), ("b", "1")]);
        let path = |name: &str| folder.path().join(name);
        for last in [
            FileWhat::Delete { path: path("none") },
            FileWhat::Rename { old: path("none"), new: path("x") },
            FileWhat::Rename { old: path("new/deep/c"), new: path("moved/a") },
            FileWhat::Create { path: path("moved/a"), content: String::new() },
        ] {
            let problem = save(&[(&files[0], "2"), (&files[1], "2")], &steps(&folder, last)).unwrap_err();
            assert!(matches!(&problem, Problem::Unwritable { written, .. } if written.is_empty()), "{problem}");
            check(&folder, &[("a", "1"), ("b", "1")]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_has_the_mode_of_new_files() {
        use std::os::unix::fs::PermissionsExt;
        let (folder, _) = project(&[]);
        let (new, usual) = (folder.path().join("new"), folder.path().join("usual"));
        let what = FileWhat::Create { path: new.clone(), content: String::new() };
        save(&[], &[FileStep { name: "new".to_owned(), what }]).unwrap();
        fs::write(&usual, "").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(new), mode(usual));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_mode() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, files) = project(&[("a", "1")]);
        fs::set_permissions(&files[0].path, fs::Permissions::from_mode(0o751)).unwrap();
        save(&[(&files[0], "2")], &[]).unwrap();
        assert_eq!(fs::metadata(&files[0].path).unwrap().permissions().mode() & 0o7777, 0o751);
    }
}
