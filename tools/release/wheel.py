"""Writes a wheel that holds one program. `cargo xtask package` runs it.

    python3 wheel.py STAGE VERSION PLATFORM_TAG SUMMARY REPOSITORY LEVEL EPOCH OUT

Needs only the standard library. The same arguments give the same bytes.
"""

import base64
import hashlib
import pathlib
import sys
import time
import zipfile


def metadata(version, summary, repository, licences, readme):
    lines = [
        "Metadata-Version: 2.4",
        "Name: oldhand",
        f"Version: {version}",
        f"Summary: {summary}",
        "License-Expression: MIT OR Apache-2.0",
        *(f"License-File: {name}" for name in licences),
        f"Project-URL: Homepage, {repository}",
        f"Project-URL: Changelog, {repository}/blob/v{version}/CHANGELOG.md",
        "Keywords: agents,memory,mcp,claude-code,codex",
        "Classifier: Environment :: Console",
        "Classifier: Programming Language :: Rust",
        "Requires-Python: >=3.8",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + readme


def absolute_links(readme, version, repository):
    """The page of a registry has none of the files that the README links to."""
    blob, raw = f"{repository}/blob/v{version}/", f"{repository}/raw/v{version}/"
    pieces = readme.split("](")
    for number, piece in enumerate(pieces[1:], 1):
        if not piece.startswith(("http", "#")):
            is_picture = "![" in pieces[number - 1].rsplit("\n", 1)[-1]
            pieces[number] = (raw if is_picture else blob) + piece
    return "](".join(pieces)


def main():
    stage, version, platform, summary, repository, level, epoch, out = sys.argv[1:]
    stage = pathlib.Path(stage)
    tag = f"py3-none-{platform}"
    info, data = f"oldhand-{version}.dist-info", f"oldhand-{version}.data"
    documents = stage / "share/doc/oldhand"
    licences = sorted(path.name for path in documents.glob("LICENSE-*"))
    readme = absolute_links((documents / "README.md").read_text(), version, repository)
    readme += f"\n<!-- mcp-name: io.github.oldhand/oldhand -->\n"
    files = {f"{data}/scripts/oldhand": (stage / "bin/oldhand").read_bytes()}
    for path in sorted((stage / "share").rglob("*")):
        if path.is_file() and documents not in path.parents:
            files[f"{data}/data/{path.relative_to(stage)}"] = path.read_bytes()
    for name in licences:
        files[f"{info}/licenses/{name}"] = (documents / name).read_bytes()
    files[f"{info}/METADATA"] = metadata(version, summary, repository, licences, readme).encode()
    tags = "".join(f"Tag: py3-none-{one}\n" for one in platform.split("."))
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: oldhand\nRoot-Is-Purelib: false\n{tags}".encode()
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    # A zip knows no time before 1980.
    date = time.gmtime(max(int(epoch), 315532800))[:6]
    wheel = pathlib.Path(out) / f"oldhand-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=int(level)) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            archive.writestr(entry, content)


if __name__ == "__main__":
    main()
