//! How long a plan takes: against one pass of `memmem` over the same text, and from 1 to 10 MiB of every kind of text that
//! could make it slower than linear. `docs/benchmarks.md` says what the figures were and how to read them.

use std::hint::black_box;

use agent_edit_engine::{Document, Edit, FindReplace, Matching, Options, Text, plan};
use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};

const MIB: usize = 1 << 20;

/// Lines that look like code, of varied length and indentation, none like another.
fn code(bytes: usize) -> String {
    const WORDS: [&str; 8] = ["let", "value", "count", "self", "index", "result", "buffer", "offset"];
    let mut text = String::with_capacity(bytes + 128);
    let mut random = 7_u64;
    for line in 0.. {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = (random >> 33) as usize;
        text.push_str(&"    ".repeat(bits % 4));
        (0..2 + bits % 5).for_each(|at| text.extend([WORDS[(bits >> (3 * at)) % 8], " "]));
        text.push_str(&format!("= call_{line}({}, {});\n", bits % 1_000, bits % 77));
        if text.len() >= bytes {
            return text;
        }
    }
    unreachable!("lines are not counted out")
}

fn find(old: &str, new: &str) -> Edit {
    Edit::FindReplace(FindReplace { old_text: old.to_owned(), new_text: new.to_owned(), ..FindReplace::default() })
}

fn all(old: &str, new: &str) -> Edit {
    Edit::FindReplace(FindReplace {
        old_text: old.to_owned(),
        new_text: new.to_owned(),
        replace_all: true,
        ..FindReplace::default()
    })
}

/// Plans one document, and says whether the batch landed.
fn lands(text: &Text, edits: &[Edit], matching: Matching) -> bool {
    let document = Document { name: "document", text, edits };
    plan(&[document], &Options { matching, ..Options::default() }).is_ok()
}

/// `count` blocks of `lines` lines each, spread over the text, each changed by `change`.
fn blocks(text: &str, count: usize, lines: usize, change: impl Fn(usize, Vec<&str>) -> String) -> Vec<String> {
    let all: Vec<&str> = text.lines().collect();
    let start = |block: usize| (all.len() - lines) * (block + 1) / (count + 1);
    (0..count).map(|block| change(block, all[start(block)..start(block) + lines].to_vec())).collect()
}

fn shifted(_: usize, lines: Vec<&str>) -> String {
    lines.iter().flat_map(|line| ["  ", line, "\n"]).collect()
}

fn drifted(_: usize, mut lines: Vec<&str>) -> String {
    let third = lines.len() / 3;
    lines[third] = "this was another line once";
    lines.join("\n")
}

/// Exact look-ups, beside the passes over the text that they cannot do without.
fn exact(c: &mut Criterion) {
    let content = code(10 * MIB);
    let text = Text::new(&content);
    let hundred = blocks(&content, 100, 3, |_, lines| lines.join("\n"));
    let edits: Vec<Edit> = hundred.iter().enumerate().map(|(at, old)| find(old, &format!("new {at}"))).collect();
    assert!(lands(&text, &edits, Matching::Exact), "warms the text up, too");

    let mut group = c.benchmark_group("exact, 10 MiB");
    group.sample_size(20);
    let last = &hundred[99];
    group.bench_function("one pass of memmem", |b| b.iter(|| memmem_count(black_box(&content), last)));
    group.bench_function("one edit", |b| b.iter(|| lands(&text, &edits[99..], Matching::Exact)));
    group.bench_function("100 passes of memmem, each over a copy", |b| {
        b.iter(|| hundred.iter().map(|old| memmem_count(&black_box(&content).clone(), old)).sum::<usize>());
    });
    group.bench_function("100 edits", |b| b.iter(|| lands(&text, &edits, Matching::Exact)));
    group.finish();
}

fn memmem_count(text: &str, old: &str) -> usize {
    memchr::memmem::find_iter(text.as_bytes(), old).count()
}

/// What an agent waits for when its memory is not exact; a document nobody asked anything yet.
fn tolerant(c: &mut Criterion) {
    let content: String = code(2 * MIB).lines().take(20_000).flat_map(|line| [line, "\n"]).collect();
    let hit = vec![find(&blocks(&content, 1, 20, shifted)[0], "new\n")];
    let miss = vec![find(&blocks(&content, 1, 20, drifted)[0], "new\n")];
    let mib = code(MIB);
    let misses: Vec<Edit> = blocks(&mib, 100, 6, drifted).iter().map(|old| find(old, "new\n")).collect();

    let mut group = c.benchmark_group("tolerant");
    group.sample_size(20);
    let fresh = |content: &str, edits: &[Edit], landed: bool| {
        assert_eq!(lands(&Text::new(content), edits, Matching::Lenient), landed);
    };
    group.bench_function("20-line hit in 20,000 lines", |b| b.iter(|| fresh(&content, &hit, true)));
    group.bench_function("20-line miss in 20,000 lines", |b| b.iter(|| fresh(&content, &miss, false)));
    group.bench_function("100 failing edits on 1 MiB", |b| b.iter(|| fresh(&mib, &misses, false)));
    group.finish();
}

/// From 1 to 10 MiB: a tenfold text may take twelve times as long at most.
fn growth(c: &mut Criterion) {
    type Make = fn(usize) -> (String, Vec<Edit>, bool);
    let inputs: [(&str, Make); 9] = [
        ("exact hit", |size| {
            let text = code(size);
            let edits = blocks(&text, 1, 3, |_, lines| lines.join("\n"));
            (text, vec![find(&edits[0], "new")], true)
        }),
        ("tolerant hit", |size| {
            let text = code(size);
            let edits = blocks(&text, 1, 20, shifted);
            (text, vec![find(&edits[0], "new\n")], true)
        }),
        ("miss with diagnosis", |size| {
            let text = code(size);
            let edits = blocks(&text, 1, 20, drifted);
            (text, vec![find(&edits[0], "new\n")], false)
        }),
        ("ambiguity", |size| ("value = 1;\nother = 2;\n".repeat(size / 22), vec![find("value = 1;", "x")], false)),
        ("replaceAll", |size| ("call(a, b)\n".repeat(size / 11), vec![all("call", "invoke")], true)),
        ("all a, a needle of half of it", |size| ("a".repeat(size), vec![find(&"a".repeat(size / 2), "x")], false)),
        ("line breaks only", |size| ("\n".repeat(size), vec![find("a\nb", "x")], false)),
        ("equal lines", |size| ("    f(x);\n".repeat(size / 10), vec![find(&"f(x);\n".repeat(20), "x")], false)),
        ("one line", |size| {
            let text = code(size).replace('\n', " ");
            let words: Vec<&str> = text[text.len() / 2..].split(' ').skip(1).take(12).collect();
            let old = words.join("  ").replace("call", "cell");
            (text, vec![find(&old, "x")], false)
        }),
    ];
    let mut group = c.benchmark_group("growth");
    group.sample_size(10);
    // What an exact hit is held against: it has to read all of the text once, and to make it one piece first.
    for mib in [1, 10] {
        let content = code(mib * MIB);
        let old = &blocks(&content, 1, 3, |_, lines| lines.join("\n"))[0];
        group.bench_with_input(BenchmarkId::new("memmem over a copy", format!("{mib} MiB")), &content, |b, content| {
            b.iter(|| memmem_count(&black_box(content).clone(), old));
        });
    }
    for (name, make) in inputs {
        for mib in [1, 10] {
            let (content, edits, landed) = make(mib * MIB);
            group.bench_with_input(BenchmarkId::new(name, format!("{mib} MiB")), &content, |b, content| {
                // Opening the document is not the edit's work; whatever is made of its text is.
                let open = || Text::new(content);
                let edit = |text| assert_eq!(lands(&text, &edits, Matching::Lenient), landed);
                b.iter_batched(open, edit, BatchSize::PerIteration);
            });
        }
    }
    group.finish();
}

criterion_group!(benches, exact, tolerant, growth);
criterion_main!(benches);
