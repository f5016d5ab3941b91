/** The commands that read and write a team with a key, ready for a POSIX shell. */
export function teamCurl(origin: string, id: string): { get: string; put: string } {
  // Nothing in an id may end the quotation: the encoding leaves the apostrophe as it is.
  const address = `'${`${origin}/api/teams/${encodeURIComponent(id)}`.replaceAll("'", '%27')}'`
  const key = `-H "x-api-key: $PORTBOOK_API_KEY"`
  return {
    get: `curl -sS --fail-with-body ${key} -o team.json ${address}`,
    put: `curl -sS --fail-with-body -X PUT ${key} -H "Content-Type: application/json" \\\n  --data-binary @team.json ${address}`,
  }
}
