import { parseAccept } from '../../platform/kit/media-types.ts'

/**
 * Chooses the media type of an answer by the header `Accept`: the offer that the client names with the highest quality.
 * Among equals, a later offer wins, so they are in order from the usual one to the most particular. Clients that name
 * none of them, or only by a wildcard, get the first.
 */
export function negotiate<Offer extends string>(
  accept: string | null,
  offers: readonly [Offer, ...Offer[]],
): Offer {
  const [usual, ...others] = offers
  if (accept === null || accept === '*/*') return usual
  const qualities = parseAccept(accept)
  const getQuality = (offer: string): number => qualities.get(offer) ?? 0
  return others.reduce<Offer>((best, offer) => {
    const quality = getQuality(offer)
    return quality > 0 && quality >= getQuality(best) ? offer : best
  }, usual)
}

/**
 * Returns whether a request for the address of a page asks for the document of the page: the client names JSON, YAML,
 * Turtle or a type in one of these forms, and HTML not as high; or it sends an API key and does not prefer HTML. Browsers do
 * neither.
 */
export function prefersDocument(headers: Headers): boolean {
  const [document, html] = [getQuality(headers, DOCUMENT), getQuality(headers, HTML)]
  const hasKey = headers.has('x-api-key') || headers.has('authorization')
  return document > html || (hasKey && document === html)
}

/** Returns whether a client names HTML, as browsers do. */
export function acceptsHtml(headers: Headers): boolean {
  return getQuality(headers, HTML) > 0
}

function getQuality(headers: Headers, pattern: RegExp): number {
  const accepted = [...parseAccept(headers.get('accept') ?? '')]
  return Math.max(0, ...accepted.map(([type, quality]) => (pattern.test(type) ? quality : 0)))
}

const DOCUMENT = /[/+](json|yaml)$|^text\/turtle$/
const HTML = /^(text\/html|application\/xhtml\+xml)$/
