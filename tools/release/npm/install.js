// Puts the program in the place of the script that starts it: a hook that waits for Node is ten times as slow.
// Where that can't be done, the script does the same, later.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { find } = require("./platform.js");

const program = find();
if (program !== undefined && process.platform !== "win32") {
  const script = path.join(__dirname, "bin", "oldhand");
  const beside = `${script}.new`;
  try {
    fs.rmSync(beside, { force: true });
    try {
      fs.linkSync(program, beside);
    } catch {
      fs.copyFileSync(program, beside);
    }
    fs.chmodSync(beside, 0o755);
    fs.renameSync(beside, script);
  } catch (error) {
    console.error(`note: oldhand is started by a script: ${error.message}`);
  }
}
