#!/usr/bin/env bash
# Checks every proof in this folder with z3 and cvc5, which it installs if it has the rights. Each `(check-sat)` follows its
# expected result, as `(set-info :status ...)`.
set -euo pipefail
cd "$(dirname "$0")"

missing=()
for solver in z3 cvc5; do
    command -v "$solver" >/dev/null || missing+=("$solver")
done
if ((${#missing[@]})); then
    if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
        apt-get install -y "${missing[@]}" >/dev/null 2>&1 || { apt-get update && apt-get install -y "${missing[@]}"; } >/dev/null
    else
        echo "skipped: ${missing[*]} not installed (Debian packages)"
        exit 0
    fi
fi

failed=0
for proof in *.smt2; do
    wanted=$(grep -o '(set-info :status [a-z]*)' "$proof" | sed 's/.* \(.*\))/\1/')
    checks=$(grep -o '(check-sat)' "$proof" | wc -l)
    if [[ $(wc -l <<<"$wanted") != "$checks" ]]; then
        echo "$proof: $checks checks, but a different number of expected results"
        failed=1
    fi
    for solver in "z3 -smt2" "cvc5 --lang=smt2 --incremental"; do
        found=$($solver "$proof" 2>&1) || true
        if [[ $found == "$wanted" ]]; then
            echo "$proof: ${solver%% *} agrees: $(grep -cx unsat <<<"$found") claims, $(grep -cx sat <<<"$found") controls"
        else
            echo "$proof: ${solver%% *} differs:"
            diff <(echo "$wanted") <(echo "$found") || true
            failed=1
        fi
    done
done
exit "$failed"
