//! How long an agent waits for the server: from a `didChange` and a batch of five edits behind it in a document of 2,000
//! lines, to the settled answer. Over real stdio, against the built binary; what the editor takes is not counted.

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use fake_editor::{Server, notification, request, response};
use serde_json::{Value, json};

const URI: &str = "file:///w/large.rs";
const LINES: usize = 2_000;
/// The lines the edits are in: spread over the document, and typing goes on in another.
const EDITED: [usize; 5] = [3, 500, 1_000, 1_500, 1_990];

fn batch_of_five(criterion: &mut Criterion) {
    let mut editor = Editor::start();
    criterion.bench_function("didChange to settled answer, 5 edits, 2,000 lines", |bencher| {
        bencher.iter_custom(|rounds| (0..rounds).map(|_| editor.round()).sum());
    });
}

struct Editor {
    server: Server,
    version: i64,
    rounds: i64,
}

impl Editor {
    fn start() -> Self {
        let mut server = Server::start(env!("CARGO_BIN_EXE_agent-edit"));
        let capabilities = json!({
            "general": {"positionEncodings": ["utf-16"]},
            "workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": true}},
        });
        server.send(&request(
            0,
            "initialize",
            json!({"processId": null, "rootUri": null, "capabilities": capabilities}),
        ));
        server.answer(0);
        server.send(&notification("initialized", json!({})));
        let text: String = (0..LINES).map(|it| format!("    let value_{it} = compute(state_{it}, 0);\n")).collect();
        let document = json!({"uri": URI, "languageId": "rust", "version": 1, "text": text});
        server.send(&notification("textDocument/didOpen", json!({"textDocument": document})));
        Self { server, version: 1, rounds: 0 }
    }

    /// A key typed, a batch, the edit applied: what the server took of it.
    fn round(&mut self) -> Duration {
        self.rounds += 1;
        let typed = self.did_change(&json!([{
            "range": {"start": {"line": 700, "character": 0}, "end": {"line": 700, "character": 1}},
            "text": " ",
        }]));
        let asked = request(self.rounds, "workspace/agentEdit", self.batch());
        let start = Instant::now();
        self.server.send(&typed);
        self.server.send(&asked);
        let apply = self.server.wait_for_method("workspace/applyEdit");
        let to_edit = start.elapsed();

        let mut changes = apply["params"]["edit"]["documentChanges"][0]["edits"].clone();
        changes.as_array_mut().expect("edits").reverse();
        for change in changes.as_array_mut().expect("edits") {
            let text = change["newText"].take();
            *change = json!({"range": change["range"], "text": text});
        }
        let changed = self.did_change(&changes);
        let applied = response(&apply["id"], json!({"applied": true}));
        let start = Instant::now();
        self.server.send(&changed);
        self.server.send(&applied);
        let answer = self.server.answer(self.rounds);
        let to_answer = start.elapsed();
        assert_eq!(answer["result"]["applied"], true, "{answer}");
        to_edit + to_answer
    }

    fn did_change(&mut self, changes: &Value) -> Value {
        self.version += 1;
        let document = json!({"uri": URI, "version": self.version});
        notification("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}))
    }

    fn batch(&self) -> Value {
        let (old, new) = ((self.rounds - 1) % 10, self.rounds % 10);
        let edit = |line: &usize| {
            json!({
                "oldText": format!("let value_{line} = compute(state_{line}, {old});"),
                "newText": format!("let value_{line} = compute(state_{line}, {new});"),
            })
        };
        let edits: Vec<_> = EDITED.iter().map(edit).collect();
        json!({"documents": [{"textDocument": {"uri": URI, "version": self.version}, "edits": edits}]})
    }
}

criterion_group!(benches, batch_of_five);
criterion_main!(benches);
