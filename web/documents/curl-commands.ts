import type { MediaType } from '../../formats/text/text.ts'

/**
 * The commands that read and write a document with a key, ready for a POSIX shell. `list` is the
 * address of all documents of the kind: `/api/dataproducts`.
 */
export function curlCommands(
  { origin, list, id }: { origin: string; list: string; id: string },
  mediaType: MediaType,
): { get: string; put: string } {
  // Nothing in an id may end the quotation: the encoding leaves the apostrophe as it is.
  const address = `'${origin}${list}/${encodeURIComponent(id).replaceAll("'", '%27')}'`
  const curl = 'curl -sS --fail-with-body'
  const key = '-H "x-api-key: $PORTBOOK_API_KEY"'
  const noun = list.replace(/^.*\/|s$/g, '')
  const file = `${noun}.${mediaType === 'application/json' ? 'json' : 'yaml'}`
  return {
    get: `${curl} ${key} -H "Accept: ${mediaType}" \\\n  -o ${file} ${address}`,
    put: `${curl} -X PUT ${key} -H "Content-Type: ${mediaType}" \\\n  --data-binary @${file} ${address}`,
  }
}
