#!/bin/sh
# Registers the example mesh in a running Portbook: first the teams, parents
# before their children, then tags, definitions, policies and other records,
# the assets, the data contracts (those in the deprecated format DCS last) and the
# data products. Earlier versions of documents are registered first, to create a
# history. Running it again changes nothing.
#
#   PORTBOOK_API_KEY=pbk_… examples/register.sh [directory]
#
# PORTBOOK_URL      address of Portbook; default http://127.0.0.1:8080
# PORTBOOK_API_KEY  secret of an organization key (only such a key may create
#                   a team without a parent)
# directory         a folder with teams/, data-products/ and optionally
#                   data-contracts/, assets/, tags/, definitions/ and other records, and
#                   earlier/ (replaced versions); default: mesh, next to this script
#
# Requires only curl. Skips documents whose format has ended (DPS, DCS), with a
# message. Exits with 1 if Portbook rejects any other document, with 2 for wrong
# arguments, and with curl's own code if Portbook cannot be reached.

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

# put <path> <file> <media type> [note [condition]]: sends one document and prints
# its id and the status code. With a condition (a header), 412 is accepted too. curl
# reads the key from standard input, so that no process list shows it.
put() {
  answer=$(
    printf 'x-api-key: %s\n%s\n' "$PORTBOOK_API_KEY" "${5:-}" |
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
  # The status code is the last line, everything before it is the response.
  status=${answer##*"$newline"}
  printf '%s %s\n' "$1${4:-}" "$status"
  case $status$answer in
    2??*) ;;
    412*) [ -n "${5:-}" ] || exit 1 ;;
    # An error of this type means that the format is no longer accepted.
    422*'"type":"'*'/guides/dps-to-odps"'* | 422*'"type":"'*'/guides/dcs-to-odcs"'*)
      printf '%s\n' "register.sh: skipped $1, because its format has ended." >&2
      ;;
    *)
      printf '%s\n' "${answer%"$newline"*}" >&2
      exit 1
      ;;
  esac
}

# Prints the parent of a team file, or nothing. Requires the member "parent" on a
# separate line, as in the example files.
read_parent() {
  sed -n 's/^ *"parent": *"\([^"]*\)" *,* *$/\1/p' "$1"
}

# Repeats until all teams are registered. A team is registered after its parent,
# unless the parent is not in this directory.
done_teams=' '
progress=yes
while [ "$progress" = yes ]; do
  progress=no
  for file in "$mesh"/teams/*.json; do
    [ -f "$file" ] || continue
    id=$(basename -- "$file" .json)
    case $done_teams in *" $id "*) continue ;; esac
    parent=$(read_parent "$file")
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

is_dcs() {
  grep -Eq '^[ {]*"?dataContractSpecification"? *:' "$1"
}

# document <command> <collection> <file> [note [condition]]: calls the command with
# the arguments of put for an asset, a contract, a product or a record.
document() {
  case $3 in
    *.json) "$1" "$2/$(basename -- "$3" .json)" "$3" application/json "${4:-}" "${5:-}" ;;
    *.yaml) "$1" "$2/$(basename -- "$3" .yaml)" "$3" application/yaml "${4:-}" "${5:-}" ;;
  esac
}

# records <command> <folder> <collection>: calls the command for each record of a
# kind. The slashes of an id are those of folders.
records() {
  for file in "$mesh/$2"/* "$mesh/$2"/*/*; do
    if [ -f "$file" ]; then
      folder=$(dirname -- "${file#"$mesh/$2"/}")
      if [ "$folder" = . ]; then document "$1" "$3" "$file"; else document "$1" "$3/$folder" "$file"; fi
    fi
  done
}

# documents <command>: calls the command for each document except teams, in order.
# A replaced version is only sent if the document does not exist yet.
documents() {
  records "$1" tags tags
  records "$1" definitions definitions
  records "$1" policies policies
  records "$1" certifications certifications
  records "$1" classification-schemes classification-schemes
  records "$1" source-systems sourcesystems
  for file in "$mesh"/assets/*; do
    if [ -f "$file" ]; then document "$1" assets "$file"; fi
  done
  for file in "$mesh"/earlier/data-contracts/*; do
    if [ -f "$file" ]; then document "$1" datacontracts "$file" ' (earlier)' 'If-None-Match: *'; fi
  done
  for file in "$mesh"/earlier/data-products/*; do
    if [ -f "$file" ]; then document "$1" dataproducts "$file" ' (earlier)' 'If-None-Match: *'; fi
  done
  for file in "$mesh"/data-contracts/*; do
    if [ -f "$file" ] && ! is_dcs "$file"; then document "$1" datacontracts "$file"; fi
  done
  for file in "$mesh"/data-contracts/*; do
    if [ -f "$file" ] && is_dcs "$file"; then document "$1" datacontracts "$file"; fi
  done
  for file in "$mesh"/data-products/*; do
    if [ -f "$file" ]; then document "$1" dataproducts "$file"; fi
  done
}

# request: with the arguments of put, prints the configuration of one request of a
# single curl.
separator=''
request() {
  printf '%s' "$separator"
  separator="next$newline"
  printf '%s\n' 'silent' 'connect-timeout = 10' 'max-time = 60' 'retry = 3' 'request = "PUT"' \
    'output = "/dev/null"' "header = \"x-api-key: $PORTBOOK_API_KEY\"" \
    "header = \"Content-Type: $3\"" "url = \"$url/api/$1\""
  if [ -n "$5" ]; then printf 'header = "%s"\n' "$5"; fi
  printf 'data-binary = "@%s"\n' "$(printf '%s' "$2" | sed 's/[\\"]/\\&/g')"
  printf 'write-out = "%s%s %%{http_code}\\n"\n' "$1" "$4"
}

# report: with the arguments of put, prints the result. A rejected document is sent
# again to print the reason.
report() {
  case $newline$answers$newline in
    *"$newline$1$4 "2??"$newline"*) printf '%s 200\n' "$1$4" ;;
    *"$newline$1$4 412$newline"*) if [ -n "$5" ]; then printf '%s 412\n' "$1$4"; else put "$@"; fi ;;
    *) put "$@" ;;
  esac
}

# Most of the many documents are small, so a single curl sends them over one
# connection. It reads its configuration from standard input.
requests=$(documents request)
[ -n "$requests" ] || exit 0
answers=$(printf '%s\n' "$requests" | curl --show-error --config -)
code=$?
if [ "$code" -ne 0 ]; then
  printf '%s\n' "register.sh: no answer from $url (curl exit code $code)." >&2
  exit "$code"
fi
documents report
