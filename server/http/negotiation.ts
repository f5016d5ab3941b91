// Older clients name YAML by the type that it had before it was registered.
const ALIASES = new Map([['application/x-yaml', 'application/yaml']])

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
  const qualities = readQualities(accept)
  const getQuality = (offer: string): number => qualities.get(offer) ?? 0
  return others.reduce<Offer>((best, offer) => {
    const quality = getQuality(offer)
    return quality > 0 && quality >= getQuality(best) ? offer : best
  }, usual)
}

function readQualities(accept: string): Map<string, number> {
  const qualities = new Map<string, number>()
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    const type = ALIASES.get(name) ?? name
    const text = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    const quality = text === undefined ? 1 : Number(text)
    if (quality > (qualities.get(type) ?? 0)) qualities.set(type, quality)
  }
  return qualities
}
