import type { MediaType } from '../../../formats/text.ts'

/** The commands that read and write a data product with a key, ready for a POSIX shell. */
export function curlCommands(
  origin: string,
  id: string,
  mediaType: MediaType,
): { get: string; put: string } {
  // Nothing in an id may end the quotation: the encoding leaves the apostrophe as it is.
  const encoded = encodeURIComponent(id).replaceAll("'", '%27')
  const address = `'${origin}/api/dataproducts/${encoded}'`
  const curl = 'curl -sS --fail-with-body'
  const key = '-H "x-api-key: $PORTBOOK_API_KEY"'
  const file = mediaType === 'application/json' ? 'dataproduct.json' : 'dataproduct.yaml'
  return {
    get: `${curl} ${key} -H "Accept: ${mediaType}" \\\n  -o ${file} ${address}`,
    put: `${curl} -X PUT ${key} -H "Content-Type: ${mediaType}" \\\n  --data-binary @${file} ${address}`,
  }
}
