#!/bin/sh
# Registers the example mesh in a running Portbook: the teams first, a parent
# before its children, then the data contracts, those in the deprecated format
# DCS last, then the data products. Running it again changes nothing.
#
#   PORTBOOK_API_KEY=pbk_… examples/register.sh [directory]
#
# PORTBOOK_URL      where Portbook answers; default http://127.0.0.1:8080
# PORTBOOK_API_KEY  secret of an organization key (only such a key may create
#                   a team that has no parent)
# directory         a folder with teams/, data-products/ and, if there are any,
#                   data-contracts/; default: mesh, beside this script
#
# Needs nothing but curl. A document whose format has ended (DPS, DCS) is left
# out, and said so. Exits 1 when Portbook refuses another document, 2 when it was
# called wrongly, and with curl's own code when Portbook cannot be reached.

set -u

newline='
'
url=${PORTBOOK_URL:-http://127.0.0.1:8080}
url=${url%/}
mesh=${1:-$(dirname -- "$0")/mesh}

if [ -z "${PORTBOOK_API_KEY:-}" ]; then
  printf '%s\n' "register.sh: set PORTBOOK_API_KEY to the secret of an organization key." >&2
  exit 2
fi
if [ ! -d "$mesh/teams" ] || [ ! -d "$mesh/data-products" ]; then
  printf '%s\n' "register.sh: $mesh has no folders teams and data-products." >&2
  exit 2
fi

# put <path> <file> <media type>: sends one document and prints its id and the
# status code. The key goes to curl through standard input, so that it does not
# show up in the list of processes.
put() {
  answer=$(
    printf 'x-api-key: %s\n' "$PORTBOOK_API_KEY" |
      curl --silent --show-error --connect-timeout 10 --max-time 60 --retry 3 \
        --request PUT \
        --header @- \
        --header "Content-Type: $3" \
        --data-binary "@$2" \
        --write-out '\n%{http_code}' \
        "$url/api/$1"
  )
  code=$?
  if [ "$code" -ne 0 ]; then
    printf '%s\n' "register.sh: no answer from $url (curl exit code $code)." >&2
    exit "$code"
  fi
  # The status code is the last line, the server's answer is everything before.
  status=${answer##*"$newline"}
  printf '%s %s\n' "$1" "$status"
  case $status$answer in
    2??*) ;;
    # A refusal of this type tells that the day is over on which the format was taken.
    422*'"type":"'*'/guides/dps-to-odps"'* | 422*'"type":"'*'/guides/dcs-to-odcs"'*)
      printf '%s\n' "register.sh: left $1 out, because its format has ended." >&2
      ;;
    *)
      printf '%s\n' "${answer%"$newline"*}" >&2
      exit 1
      ;;
  esac
}

# Prints the parent that a team file names, or nothing. It reads the member
# "parent" from a line of its own, which is how the example files are written.
parent_of() {
  sed -n 's/^ *"parent": *"\([^"]*\)" *,* *$/\1/p' "$1"
}

# Goes over the teams until all are registered. A team's turn comes when its
# parent is done, or when its parent is not part of this directory.
done_teams=' '
progress=yes
while [ "$progress" = yes ]; do
  progress=no
  for file in "$mesh"/teams/*.json; do
    [ -f "$file" ] || continue
    id=$(basename -- "$file" .json)
    case $done_teams in *" $id "*) continue ;; esac
    parent=$(parent_of "$file")
    if [ -n "$parent" ] && [ -f "$mesh/teams/$parent.json" ]; then
      case $done_teams in *" $parent "*) ;; *) continue ;; esac
    fi
    put "teams/$id" "$file" application/json
    done_teams="$done_teams$id "
    progress=yes
  done
done

for file in "$mesh"/teams/*.json; do
  [ -f "$file" ] || continue
  id=$(basename -- "$file" .json)
  case $done_teams in
    *" $id "*) ;;
    *)
      printf '%s\n' "register.sh: team $id is its own ancestor." >&2
      exit 1
      ;;
  esac
done

# document <collection> <file>: sends a data contract or a data product.
document() {
  case $2 in
    *.json) put "$1/$(basename -- "$2" .json)" "$2" application/json ;;
    *.yaml) put "$1/$(basename -- "$2" .yaml)" "$2" application/yaml ;;
  esac
}

is_dcs() {
  grep -Eq '^[ {]*"?dataContractSpecification"? *:' "$1"
}

for file in "$mesh"/data-contracts/*; do
  if [ -f "$file" ] && ! is_dcs "$file"; then document datacontracts "$file"; fi
done
for file in "$mesh"/data-contracts/*; do
  if [ -f "$file" ] && is_dcs "$file"; then document datacontracts "$file"; fi
done

for file in "$mesh"/data-products/*; do
  if [ -f "$file" ]; then document dataproducts "$file"; fi
done
