// Packs a .vsix for this machine's platform, with the server inside: AGENT_EDIT_BINARY, else what
// `cargo build --release -p agent-edit` has left in the repository.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const root = join(here, "..", "..");
const name = process.platform === "win32" ? "agent-edit.exe" : "agent-edit";
const binary = process.env.AGENT_EDIT_BINARY ?? join(root, "target", "release", name);
if (!existsSync(binary)) {
    console.error(`There is no server at ${binary}. Build it with: cargo build --release -p agent-edit`);
    process.exit(1);
}
rmSync(join(here, "server"), { recursive: true, force: true });
mkdirSync(join(here, "server"));
copyFileSync(binary, join(here, "server", name));
chmodSync(join(here, "server", name), 0o755);
copyFileSync(join(root, "LICENSE-MIT"), join(here, "LICENSE.txt"));
const vsce = join(here, "node_modules", "@vscode", "vsce", "vsce");
const target = `${process.platform}-${process.arch}`;
const options = ["--no-dependencies", "--allow-missing-repository", "--target", target];
execFileSync(process.execPath, [vsce, "package", ...options, ...process.argv.slice(2)], { cwd: here, stdio: "inherit" });
