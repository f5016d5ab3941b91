// The syntaxes of RDF that the catalog writes, by their media types.

import type { GraphSyntax } from './graph.ts'
import { jsonLd } from './json-ld.ts'
import { turtle } from './turtle.ts'

/** The media types of RDF; the first one is the usual one. */
export const RDF_MEDIA_TYPES = ['application/ld+json', 'text/turtle'] as const

/** A media type of RDF. */
export type RdfMediaType = (typeof RDF_MEDIA_TYPES)[number]

/** Every syntax by its media type. */
export const SYNTAXES: Readonly<Record<RdfMediaType, GraphSyntax>> = {
  'application/ld+json': jsonLd,
  'text/turtle': turtle,
}
