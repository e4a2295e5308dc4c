//! Files are written all or none: staged beside their places, compared with what was read, and then replaced.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use super::problem::Problem;
use super::project_file::ProjectFile;

/// Gives every file its new text. First everything is written beside the files and brought to the disk, then all files
/// are compared with what was read, and only then is each replaced in one step.
pub(crate) fn save(changes: &[(&ProjectFile, &str)]) -> Result<(), Problem> {
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
    replace_all(changes, staged)
}

fn replace_all(changes: &[(&ProjectFile, &str)], staged: Vec<NamedTempFile>) -> Result<(), Problem> {
    for (index, (staged, (file, _))) in staged.into_iter().zip(changes).enumerate() {
        if let Err(error) = replace(staged, &file.path) {
            let written = take_back(&changes[..index]);
            return Err(Problem::Unwritable { name: file.name.clone(), error, written });
        }
    }
    Ok(())
}

fn stage(file: &ProjectFile, content: &str) -> Result<NamedTempFile, Problem> {
    let failed = |error| Problem::Unwritable { name: file.name.clone(), error, written: vec![] };
    let permissions = fs::metadata(&file.path).map_err(failed)?.permissions();
    if permissions.readonly() {
        return Err(Problem::ReadOnly { name: file.name.clone() });
    }
    staged(&file.path, content, permissions).map_err(failed)
}

fn staged(path: &Path, content: &str, permissions: Permissions) -> io::Result<NamedTempFile> {
    let folder = path.parent().expect("a file stands in a folder");
    let mut staged = tempfile::Builder::new().prefix(".agent-edit-").tempfile_in(folder)?;
    staged.write_all(content.as_bytes())?;
    staged.as_file().set_permissions(permissions)?;
    staged.as_file().sync_all()?;
    Ok(staged)
}

fn replace(staged: NamedTempFile, path: &Path) -> io::Result<()> {
    staged.persist(path)?;
    if cfg!(unix) {
        // The new name reaches the disk with its folder.
        File::open(path.parent().expect("a file stands in a folder"))?.sync_all()?;
    }
    Ok(())
}

/// Gives files that were replaced their old content again; the names of those for which that failed.
fn take_back(changes: &[(&ProjectFile, &str)]) -> Vec<String> {
    let restored = |file: &ProjectFile| -> io::Result<()> {
        let permissions = fs::metadata(&file.path)?.permissions();
        replace(staged(&file.path, &file.text, permissions)?, &file.path)
    };
    changes.iter().filter(|(file, _)| restored(file).is_err()).map(|(file, _)| file.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{replace_all, save, stage};
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
        save(&[(&files[0], "2\r\n"), (&files[1], "\u{feff}2")]).unwrap();
        check(&folder, &[("a", "2\r\n"), ("b", "\u{feff}2")]);
    }

    #[test]
    fn one_that_changed_on_disk_holds_all_of_them_back() {
        let (folder, files) = project(&[("a", "1"), ("b", "1")]);
        fs::write(folder.path().join("b"), "theirs").unwrap();
        let problem = save(&[(&files[0], "2"), (&files[1], "2")]).unwrap_err();
        assert!(matches!(&problem, Problem::ChangedOnDisk { name } if name == "b"), "{problem}");
        check(&folder, &[("a", "1"), ("b", "theirs")]);
    }

    #[test]
    fn one_that_is_gone_or_locked_holds_all_of_them_back() {
        let (folder, files) = project(&[("a", "1"), ("b", "1")]);
        let mut permissions = fs::metadata(&files[1].path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&files[1].path, permissions).unwrap();
        let problem = save(&[(&files[0], "2"), (&files[1], "2")]).unwrap_err();
        assert!(matches!(&problem, Problem::ReadOnly { name } if name == "b"), "{problem}");
        check(&folder, &[("a", "1"), ("b", "1")]);
        fs::remove_file(&files[1].path).unwrap();
        assert!(save(&[(&files[0], "2"), (&files[1], "2")]).is_err());
        check(&folder, &[("a", "1")]);
    }

    #[test]
    fn where_one_cannot_be_replaced_the_others_are_taken_back() {
        let (folder, files) = project(&[("a", "1"), ("b", "1")]);
        let changes = [(&files[0], "2"), (&files[1], "2")];
        let staged = changes.map(|(file, text)| stage(file, text).unwrap()).into();
        fs::remove_file(&files[1].path).unwrap();
        fs::create_dir(&files[1].path).unwrap();
        let problem = replace_all(&changes, staged).unwrap_err();
        assert!(matches!(&problem, Problem::Unwritable { written, .. } if written.is_empty()), "{problem}");
        fs::remove_dir(&files[1].path).unwrap();
        check(&folder, &[("a", "1")]);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_mode() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, files) = project(&[("a", "1")]);
        fs::set_permissions(&files[0].path, fs::Permissions::from_mode(0o751)).unwrap();
        save(&[(&files[0], "2")]).unwrap();
        assert_eq!(fs::metadata(&files[0].path).unwrap().permissions().mode() & 0o7777, 0o751);
    }
}
