#!/usr/bin/env bash
# Has every proof of this folder checked by z3 and by cvc5, which it installs where it may. Each `(check-sat)` has
# what must come out before it, as `(set-info :status ...)`.
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
        echo "skipped: no ${missing[*]} here (packages of Debian)"
        exit 0
    fi
fi

failed=0
for proof in *.smt2; do
    wanted=$(grep -o '(set-info :status [a-z]*)' "$proof" | sed 's/.* \(.*\))/\1/')
    checks=$(grep -o '(check-sat)' "$proof" | wc -l)
    if [[ $(wc -l <<<"$wanted") != "$checks" ]]; then
        echo "$proof: $checks checks, but a different number of results to expect"
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
