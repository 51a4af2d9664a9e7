#!/usr/bin/env bash
# Times whole commands: throughput, many small files, startup. Needs hyperfine and grep.
#   benches/whole.sh [FOLDER FOR THE BOARDS]
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-target/boards}
mkdir -p "$folder"

cargo build --release --quiet --example boards
cargo build --release --quiet
getaway=target/release/getaway
boards=target/release/examples/boards

[ -s "$folder/million.txt" ] || "$boards" jimmy 1000000 >"$folder/million.txt"
[ -s "$folder/million.jsonl" ] ||
  awk 'BEGIN{RS=""; FS="\n"} {printf "{\"id\":%d,\"rows\":[\"%s\"", NR, $1; for (i=2;i<=NF;i++) printf ",\"%s\"", $i; print "]}"}' \
    "$folder/million.txt" >"$folder/million.jsonl"
if [ ! -d "$folder/files" ]; then
  mkdir "$folder/files"
  head -c 11100000 "$folder/million.txt" |
    awk -v dir="$folder/files" 'BEGIN{RS=""} {file=sprintf("%s/%06d.txt", dir, NR); print >file; close(file)}'
fi
[ -s "$folder/large.txt" ] || "$boards" large 1000 1000 >"$folder/large.txt"
[ -s "$folder/vast.txt" ] || "$boards" large 4000 10000 >"$folder/vast.txt"
[ -s "$folder/maze.txt" ] || "$boards" maze 1000 1000 >"$folder/maze.txt"
[ -d "$folder/dungeons" ] || {
  mkdir "$folder/dungeons"
  "$boards" dungeons |
    awk -v dir="$folder/dungeons" 'BEGIN{RS=""} {file=sprintf("%s/%d.txt", dir, NR); print >file; close(file)}'
}
[ -s "$folder/wide.txt" ] || "$boards" wide-baddies 50 >"$folder/wide.txt"
cat >"$folder/hello.rs" <<'R'
fn main() { println!("hello world"); }
R
rustc -O -o "$folder/hello" "$folder/hello.rs"

run() { hyperfine --warmup 1 --ignore-failure "$@"; }
# Without the pipe, grep would notice that nobody reads its output, and stop at the first match.
run --runs 5 "grep -c o $folder/million.txt | cat" "$getaway check --quiet $folder/million.txt" \
  "$getaway check --quiet -j 1 $folder/million.txt" "$getaway check --quiet $folder/million.jsonl" \
  "$getaway check --json --no-timing $folder/million.jsonl > /dev/null"
run --runs 5 "grep -rc o $folder/files | cat" "$getaway check --quiet $folder/files"
run --runs 3 "$getaway solve --quiet $folder/large.txt" "$getaway solve --quiet $folder/vast.txt"
run --runs 5 "$getaway solve --quiet $folder/maze.txt"
run --runs 3 "$getaway solve --quiet -j 1 benches/large.txt" "$getaway solve --quiet -j 2 benches/large.txt"
for board in 1 2 3 4 5 6 7 8; do
  run --runs 5 "$getaway solve --quiet $folder/dungeons/$board.txt"
done
run --shell=none --runs 300 "$folder/hello" "$getaway solve puzzles/jimmy/04-source-two-ways-one-is-an-escape.txt"

echo "peak memory, in KB:"
for file in million.txt large.txt vast.txt dungeons/4.txt dungeons/8.txt; do
  /usr/bin/time -f "%M  $file" "$getaway" check --quiet "$folder/$file" || true
done
echo "25x80 baddies boards decided within 30 s each:"
"$getaway" check --no-timing --timeout 30 "$folder/wide.txt" | tail -n 2
