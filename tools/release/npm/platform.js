// Where the program for this machine is: in the package of its platform, which npm installed beside this one.
"use strict";

exports.find = () => {
  const name = `@oldhand/${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${name}/bin/oldhand`);
  } catch {
    return undefined;
  }
};

exports.missing =
  `error: there is no program for this platform: ${process.platform}-${process.arch}\n` +
  "hint: install without `--omit=optional`; other platforms: `cargo install --locked oldhand`";
