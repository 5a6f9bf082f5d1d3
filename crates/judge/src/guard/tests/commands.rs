//! Shell commands.

use serde_json::json;

use super::{answer, check_commands};

#[test]
fn redirections_into_a_store_are_refused() {
    check_commands(&[
        ("echo x > .oldhand/decisions/a.md", "update a"),
        ("echo x >> .oldhand/decisions/a.md", "update a"),
        ("echo x >| .oldhand/decisions/a.md", "update a"),
        ("echo x &> .oldhand/decisions/a.md", "update a"),
        ("echo x &>> .oldhand/decisions/a.md", "update a"),
        ("echo x >& .oldhand/decisions/a.md", "update a"),
        ("echo x 2> .oldhand/decisions/a.md", "update a"),
        ("echo x 1>.oldhand/decisions/a.md", "update a"),
        ("cat <> .oldhand/decisions/a.md", "update a"),
        ("> .oldhand/decisions/a.md", "update a"),
        ("cat > .oldhand/decisions/a.md <<'EOF'\n# Title\nEOF", "update a"),
        ("cat <<EOF > .oldhand/decisions/a.md\n# Title\nEOF", "update a"),
        ("cat <<EOF\nx\nEOF\necho y > .oldhand/decisions/a.md", "update a"),
        ("{ echo a; echo b; } > .oldhand/decisions/a.md", "update a"),
        ("(echo a) > .oldhand/decisions/a.md", "update a"),
        ("if true; then echo x > .oldhand/decisions/a.md; fi", "update a"),
        ("echo x > .oldhand/config.toml", "config set"),
        ("echo x > notes/decisions/a.md", "update a"),
        ("echo local > .oldhand/.gitignore", ""),
        ("echo x > /dev/null 2>&1", ""),
        ("cat .oldhand/decisions/a.md > /tmp/a.md", ""),
        ("cat .oldhand/decisions/a.md 2>/dev/null", ""),
        ("cat > README.md <<EOF\necho x > .oldhand/decisions/a.md\nrm -rf .oldhand\nEOF", ""),
        ("echo 'x > .oldhand/a.md'", ""),
        ("echo \"x > .oldhand/a.md\"", ""),
        ("echo x \\> .oldhand/a.md", ""),
        ("ls # > .oldhand/a.md", ""),
    ]);
}

#[test]
fn reading_and_copying_out_passes() {
    check_commands(&[
        ("cat .oldhand/decisions/a.md", ""),
        ("grep -ri oldhand .oldhand/", ""),
        ("grep -o .oldhand README.md", ""),
        ("rg -w -i cents .oldhand", ""),
        ("ls -la .oldhand && head -5 .oldhand/index.md | less", ""),
        ("diff -w .oldhand/a.md b.md", ""),
        ("wc -l .oldhand/*/*.md", ""),
        ("find .oldhand -name '*.md'", ""),
        ("find .oldhand -name '*.md' -exec grep -l x {} +", ""),
        ("cp .oldhand/decisions/a.md /tmp/", ""),
        ("cp -r .oldhand /tmp/backup", ""),
        ("rsync -a .oldhand/ /backup/", ""),
        ("tar czf /tmp/store.tgz .oldhand", ""),
        ("tar -C .oldhand -cf /tmp/x.tar .", ""),
        ("sed -n '1,5p' .oldhand/index.md", ""),
        ("awk '{print $1}' .oldhand/index.md", ""),
        ("python3 -c \"print(open('.oldhand/index.md').read())\"", ""),
        ("python3 script.py .oldhand/index.md", ""),
        ("node -e \"console.log(require('fs').readFileSync('.oldhand/index.md','utf8'))\"", ""),
        ("python3 - <<EOF\nopen('README.md','w').write('see .oldhand/decisions/a.md')\nEOF", ""),
        ("echo .oldhand", ""),
        ("echo \".oldhand\" >> .gitignore", ""),
        ("test -d .oldhand && echo yes", ""),
        ("[ -d .oldhand ] && echo yes", ""),
        ("ln -s .oldhand/decisions d", ""),
        ("gzip -c .oldhand/index.md > /tmp/i.gz", ""),
        ("chmod -R u+w .oldhand", ""),
        ("sed -i 's#.oldhand/x#y#' README.md", ""),
        ("cargo test guard::create -- .oldhand", ""),
        ("ssh host 'rm -rf .oldhand'", ""),
        ("vim -R .oldhand/index.md", ""),
        ("cd .oldhand && ls && cat decisions/a.md", ""),
        ("cd .oldhand && cd .. && touch a.md", ""),
        ("(cd .oldhand; ls); touch a.md", ""),
        ("git commit -m 'rm .oldhand/x > .oldhand/y'", ""),
    ]);
}

#[test]
fn oldhand_and_git_history_pass() {
    check_commands(&[
        ("oldhand update a --from .oldhand/decisions/a.md", ""),
        ("oldhand add decision --from - <<'EOF'\nrm .oldhand/x > .oldhand/y\nEOF", ""),
        ("./target/debug/oldhand import .oldhand", ""),
        ("cat draft.md | oldhand add decision --from -", ""),
        ("OLDHAND_STORE=.oldhand oldhand sweep", ""),
        ("git add .oldhand && git commit -m x && git push", ""),
        ("git diff .oldhand; git log -- .oldhand; git show HEAD:.oldhand/index.md", ""),
        ("git status .oldhand && git pull && git merge main && git rebase main", ""),
        ("git checkout main", ""),
        ("git checkout -b feature/.oldhand-x", ""),
        ("git stash", ""),
        ("git reset --hard", ""),
        ("git restore --staged .oldhand", ""),
        ("git rm --cached .oldhand/decisions/a.md", ""),
        ("git clean -n .oldhand", ""),
        // It names no store, and a store is seldom untracked.
        ("git clean -fdx", ""),
        ("git checkout -- .oldhand", "is the store"),
        ("git checkout HEAD~1 .oldhand/decisions/a.md", "update a"),
        ("git restore .oldhand/decisions/a.md", "update a"),
        ("git restore --source=HEAD~2 -- :/.oldhand", "is the store"),
        ("git rm -r .oldhand/decisions/a.md", "retire a"),
        ("git mv .oldhand/decisions/a.md x.md", "a.md"),
        ("git clean -fd .oldhand", "is the store"),
        ("git -c x=y rm .oldhand/decisions/a.md", "retire a"),
    ]);
}

#[test]
fn writers_into_a_store_are_refused() {
    check_commands(&[
        ("echo x | tee .oldhand/decisions/a.md", "update a"),
        ("echo x | tee -a /tmp/b .oldhand/decisions/a.md", "update a"),
        ("cp /tmp/a.md .oldhand/decisions/a.md", "update a"),
        ("cp -t .oldhand/decisions /tmp/a.md", "folder"),
        ("cp --target-directory=.oldhand/decisions /tmp/a.md", "folder"),
        ("mv .oldhand/decisions/a.md /tmp", "retire a"),
        ("mv /tmp/a.md .oldhand/decisions/", "folder"),
        ("install -m 644 a.md .oldhand/decisions/a.md", "update a"),
        ("dd if=/dev/zero of=.oldhand/decisions/a.md", "update a"),
        ("ln -s /tmp/a.md .oldhand/decisions/a.md", "update a"),
        ("rm -rf .oldhand", "is the store"),
        ("rm .oldhand/decisions/a.md", "retire a"),
        ("rm -- .oldhand/decisions/a.md", "retire a"),
        ("rmdir .oldhand/decisions", "folder"),
        ("unlink .oldhand/decisions/a.md", "retire a"),
        ("touch .oldhand/decisions/a.md", "update a"),
        ("truncate -s 0 .oldhand/decisions/a.md", "update a"),
        ("mkdir -p .oldhand/decisions", "add decision"),
        ("rsync -a /backup/ .oldhand/", "is the store"),
        ("sed -i 's/a/b/' .oldhand/decisions/a.md", "update a"),
        ("sed -i.bak -e 's/a/b/' .oldhand/decisions/a.md", "update a"),
        ("sed -Ei 's/a/b/' .oldhand/decisions/a.md", "update a"),
        ("perl -pi -e 's/a/b/' .oldhand/decisions/a.md", "update a"),
        ("perl -i -pe 's/a/b/' .oldhand/decisions/a.md", "update a"),
    ]);
}

#[test]
fn further_writers_into_a_store_are_refused() {
    check_commands(&[
        ("curl -o .oldhand/decisions/a.md https://x", "update a"),
        ("curl -sSLo .oldhand/decisions/a.md https://x", "update a"),
        ("wget -O .oldhand/decisions/a.md https://x", "update a"),
        ("wget -qO .oldhand/decisions/a.md https://x", "update a"),
        ("find .oldhand -name '*.md' -delete", "store"),
        ("yq -i '.a=1' .oldhand/config.toml", "config set"),
        ("prettier --write .oldhand/decisions/a.md", "update a"),
        ("sort -o .oldhand/index.md .oldhand/index.md", "generated"),
        ("cd .oldhand/decisions && rm a.md", "retire"),
        ("cd /repo/.oldhand; echo x > index.md", "generated"),
        ("pushd .oldhand && rm -r decisions", "folder"),
        ("(cd .oldhand && rm index.md)", "generated"),
    ]);
}

#[test]
fn every_command_of_a_line_is_read() {
    check_commands(&[
        ("bash -c 'rm .oldhand/decisions/a.md'", "retire a"),
        ("sh -lc \"rm .oldhand/decisions/a.md\"", "retire a"),
        ("bash -c 'sh -c \"rm .oldhand/decisions/a.md\"'", "retire a"),
        ("diff <(rm .oldhand/decisions/a.md) x", "retire a"),
        ("sudo rm .oldhand/decisions/a.md", "retire a"),
        ("env -i A=b rm .oldhand/decisions/a.md", "retire a"),
        ("A=1 B=2 nohup time rm .oldhand/decisions/a.md &", "retire a"),
        ("timeout 5 rm .oldhand/decisions/a.md", "retire a"),
        ("f() { rm .oldhand/decisions/a.md; }; f", "retire a"),
        ("for f in a b; do rm .oldhand/decisions/a.md; done", "retire a"),
        ("true && false || rm .oldhand/decisions/a.md", "retire a"),
        ("true|rm .oldhand/decisions/a.md", "retire a"),
        ("true;rm .oldhand/decisions/a.md", "retire a"),
        ("true\nrm .oldhand/decisions/a.md", "retire a"),
        ("case x in a) rm .oldhand/decisions/a.md;; esac", "retire a"),
        ("! rm .oldhand/decisions/a.md", "retire a"),
        ("/bin/rm .oldhand/decisions/a.md", "retire a"),
        ("bash script.sh .oldhand", ""),
        ("echo 'cat .oldhand/x' | sh", ""),
    ]);
}

#[test]
fn a_literal_path_is_found_in_quotes() {
    check_commands(&[
        ("rm '.oldhand/decisions/a.md'", "retire a"),
        ("rm \".oldhand\"/decisions/a.md", "retire a"),
        ("rm .old\"hand\"/decisions/a.md", "retire a"),
        ("rm .old''hand/decisions/a.md", "retire a"),
        ("rm .old\\\nhand/decisions/a.md", "retire a"),
        ("\\rm .oldhand/decisions/a.md", "retire a"),
        ("r''m .oldhand/decisions/a.md", "retire a"),
        ("rm $PWD/.oldhand/decisions/a.md", "retire a"),
        ("rm $(git rev-parse --show-toplevel)/.oldhand/decisions/a.md", "retire a"),
        ("rm $HOME/.local/share/notes/decisions/a.md", "retire a"),
        ("rm ~/.local/share/notes/decisions/a.md", "retire a"),
        ("rm -rf .OLDHAND", "store"),
        ("rm .oldhand/decisions/*.md", "<id>"),
        ("rm -rf ././/.oldhand/", "store"),
        ("rm -rf src/../.oldhand", "store"),
        ("rm -rf *", ""),
        ("rm -rf .", ""),
        ("rm -rf .git*", ""),
        ("rm -rf .[!o]*", ""),
        ("rm -rf $X", ""),
        ("rm -rf \"$X/y\"", ""),
        ("rm .$NAME", ""),
        ("rm 'unclosed .oldhand/x", ""),
        ("rm oldhand/x.md", ""),
        ("touch src/.oldhand-notes", ""),
    ]);
}

#[test]
fn powershell_is_read() {
    let rows = [
        ("Set-Content .oldhand\\decisions\\a.md 'x'", "update a"),
        ("Set-Content -Path .oldhand\\decisions\\a.md -Value x", "update a"),
        ("'x' | Out-File -FilePath .oldhand/decisions/a.md", "update a"),
        ("Add-Content C:\\repo\\.oldhand\\decisions\\a.md x", "update a"),
        ("Remove-Item -Recurse -Force .oldhand", "store"),
        ("Move-Item .oldhand\\decisions\\a.md C:\\tmp", "retire a"),
        ("Copy-Item x.md -Destination .oldhand\\decisions", "folder"),
        ("Copy-Item x.md .oldhand\\decisions\\a.md", "update a"),
        ("del .oldhand\\decisions\\a.md", "retire a"),
        ("echo x > .oldhand\\decisions\\a.md", "update a"),
        ("Remove-Item $env:USERPROFILE\\.oldhand\\decisions\\a.md", "retire a"),
        ("powershell -NoProfile -Command \"Remove-Item .oldhand\\decisions\\a.md\"", "retire a"),
        ("Copy-Item .oldhand\\decisions\\a.md C:\\tmp", ""),
        ("Get-Content .oldhand\\decisions\\a.md", ""),
        ("Set-Content notes.txt -Value .oldhand", ""),
        ("Get-ChildItem -Path .oldhand -Recurse | Select-String cents", ""),
        ("type .oldhand\\index.md", ""),
    ];
    for (command, want) in rows {
        for tool in ["powershell", "run_terminal_cmd"] {
            let found = answer(tool, &json!({ "command": command }), super::CWD);
            assert_eq!(found.is_empty(), want.is_empty(), "{command}: {found:?}");
            assert!(found.contains(want), "{command}: {found:?} has no {want:?}");
        }
    }
}

/// Nothing is run or expanded: these reach the store and are found as edits by hand.
#[test]
fn what_a_call_does_not_spell_out_passes() {
    check_commands(&[
        ("S=.oldhand; rm -r \"$S\"", ""),
        ("for f in .oldhand/decisions/a.md; do rm $f; done", ""),
        ("rm -rf .oldh*", ""),
        ("rm -rf {src,.oldhand}", ""),
        ("rm $'\\x2eoldhand/decisions/a.md'", ""),
        ("eval 'rm .oldhand/decisions/a.md'", ""),
        ("echo \"$(rm .oldhand/decisions/a.md)\"", ""),
        ("echo 'rm .oldhand/decisions/a.md' | sh", ""),
        ("find .oldhand -name '*.md' | xargs rm", ""),
        ("python3 -c \"open('.oldhand/decisions/a.md','w').write('x')\"", ""),
        ("awk '{print > \".oldhand/decisions/a.md\"}' x", ""),
        ("tar xf a.tar -C .oldhand", ""),
        ("vim -c ':wq' .oldhand/decisions/a.md", ""),
        ("ln -s .oldhand d && echo x > d/decisions/a.md", ""),
    ]);
}

/// Options that take a value elsewhere, and scripts that only look like paths.
#[test]
fn what_only_looks_like_a_write_passes() {
    check_commands(&[
        ("rsync -rt .oldhand/ /backup/", ""),
        ("rsync -a src/ /backup --exclude .oldhand", ""),
        ("git clean -fdx -e .oldhand", ""),
        ("sed -i 's/.oldhand/x/' README.md", ""),
        ("sed --in-place=.bak 's/.oldhand/x/' README.md", ""),
        ("perl -MList::Util -ne 'print' .oldhand/index.md", ""),
        ("git commit -m rm .oldhand/decisions/a.md", ""),
        ("(cd .oldhand && ls); (touch a.md)", ""),
        ("curl -O https://x/.oldhand/a.md", ""),
        ("echo a=.oldhand/x rm", ""),
        ("cp .oldhand/decisions/a.md .", ""),
        ("ln -s .oldhand", ""),
    ]);
}
