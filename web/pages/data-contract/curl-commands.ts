import type { MediaType } from '../../../formats/text.ts'

/** The commands that read and write a contract with a key, ready for a POSIX shell. */
export function curlCommands(
  origin: string,
  id: string,
  mediaType: MediaType,
): { get: string; put: string } {
  const address = quoted(`${origin}/api/datacontracts/${encodeURIComponent(id)}`)
  const key = `-H "x-api-key: $PORTBOOK_API_KEY"`
  const file = mediaType === 'application/json' ? 'datacontract.json' : 'datacontract.yaml'
  return {
    get: `curl -sS --fail-with-body ${key} -H "Accept: ${mediaType}" \\\n  -o ${file} ${address}`,
    put: `curl -sS --fail-with-body -X PUT ${key} -H "Content-Type: ${mediaType}" \\\n  --data-binary @${file} ${address}`,
  }
}

// Nothing in an id may end the quotation: the encoding leaves the apostrophe as it is.
function quoted(address: string): string {
  return `'${address.replaceAll("'", '%27')}'`
}
