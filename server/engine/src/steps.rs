//! Work counted in bytes read, so that a test can hold the engine to linear time without a clock. Costs nothing elsewhere.

/// Counts `bytes` of work, in tests.
#[inline]
pub(crate) fn count(bytes: usize) {
    #[cfg(test)]
    tests::STEPS.with(|it| it.set(it.get() + bytes));
    #[cfg(not(test))]
    let _ = bytes;
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use crate::batch::{Document, Edit, FindReplace, Matching, Options};
    use crate::plan::plan;
    use crate::text::Text;

    thread_local! {
        pub(super) static STEPS: Cell<usize> = const { Cell::new(0) };
    }

    /// How many steps a batch takes on a text of about `size` bytes.
    fn steps(size: usize, make: &dyn Fn(usize) -> (String, Vec<Edit>)) -> usize {
        let (content, edits) = make(size);
        let text = Text::new(&content);
        let document = Document { name: "document", text: &text, edits: &edits };
        STEPS.with(|it| it.set(0));
        let outcome = plan(&[document], &Options { matching: Matching::Lenient, ..Options::default() });
        drop(outcome);
        STEPS.with(Cell::get)
    }

    fn find(old: &str, new: &str) -> Vec<Edit> {
        vec![Edit::FindReplace(FindReplace { old_text: old.into(), new_text: new.into(), ..FindReplace::default() })]
    }

    fn all(old: &str, new: &str) -> Vec<Edit> {
        let all =
            FindReplace { old_text: old.into(), new_text: new.into(), replace_all: true, ..FindReplace::default() };
        vec![Edit::FindReplace(all)]
    }

    fn numbered(size: usize) -> String {
        (0..size / 20).flat_map(|at| [format!("    call_{at}(a, b);"), "\n".to_owned()]).collect()
    }

    #[test]
    fn ten_times_the_text_takes_ten_times_the_steps() {
        type Make = Box<dyn Fn(usize) -> (String, Vec<Edit>)>;
        let half = |unit: &'static str, old: &'static str| -> Make {
            Box::new(move |size| {
                let count = size / unit.len();
                (unit.repeat(count), find(&old.repeat(count / 2), "x"))
            })
        };
        let repeated = |unit: &'static str, edits: Vec<Edit>| -> Make {
            Box::new(move |size| (unit.repeat(size / unit.len()), edits.clone()))
        };
        let inputs: Vec<(&str, Make)> = vec![
            ("exact hit", Box::new(|size| (numbered(size), find("call_700(", "x")))),
            ("tolerant hit", Box::new(|size| (numbered(size), find("call_700(a, b);\ncall_701(a, b);", "x")))),
            ("miss", Box::new(|size| (numbered(size), find("call_700(a, b);\nother(a);\ncall_702(a, b);", "x")))),
            ("ambiguity", repeated("value = 1;\n", find("value = 1;", "x"))),
            ("tolerant ambiguity", repeated("  value =  1;\n", find("value = 1;\nvalue = 1;", "x"))),
            ("replaceAll", repeated("call(a)\n", all("call", "invoke"))),
            ("tolerant replaceAll", repeated("  call( a )\n", all("call(a)\n", "invoke(a)\n"))),
            ("all a, half of it", half("a", "a")),
            ("all a, a space around", repeated("a", find(" a ", "x"))),
            ("words, half of them", half("a b\t", "a  b ")),
            ("equal lines, half of them", half("    f(x);\n", "f(x);\n")),
            ("line breaks", repeated("\n", find("a\nb", "x"))),
            ("carriage returns", repeated("\r\n\r", find("\n\n", "x"))),
            (
                "one line",
                Box::new(|size| (numbered(size).replace('\n', " "), find("call_700(a,  b);    call_701(a, c);", "x"))),
            ),
            ("one line, replaceAll", Box::new(|size| ("ab ".repeat(size / 3), all("b", "x\ny")))),
            ("elided", repeated("start\nmiddle\nend\n", find("start\n...\nend", "start\n...\nstop"))),
        ];
        for (name, make) in &inputs {
            let (small, large) = (steps(10_000, make), steps(100_000, make));
            assert!(small > 0, "{name}: nothing was counted");
            assert!(large <= 12 * small, "{name}: {small} steps became {large}");
        }
    }

    #[test]
    fn many_failing_edits_share_what_is_made_of_the_text() {
        let with = |count: usize| {
            let text = numbered(200_000);
            let edits = (0..count).flat_map(|at| find(&format!("call_{at}(a, b);\nchanged\n"), "x")).collect();
            steps(0, &move |_| (text.clone(), Vec::clone(&edits)))
        };
        // A failing edit reads the text a few times, but makes nothing of it anew.
        assert!(with(100) < 12 * with(10));
    }
}
