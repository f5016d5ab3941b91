// The meaning of a JSON Schema as one text, without annotations, references and unused definitions.

import { canonicalText } from '../../shape/canonical.ts'
import { NOWHERE } from '../../shape/inspect.ts'
import { Notes } from '../../text/problem.ts'
import { any } from '../../shape/shape.ts'
import type { Value } from '../../text/value.ts'
import { CanonicalForms } from './canonical.ts'
import { modelSchemas } from './documents.ts'
import { References, topPart } from './references.ts'
import { withoutAnnotations } from './plain.ts'
import { Specification } from '../specification.ts'
import { Spot } from '../spot.ts'

/** Returns the canonical forms of all models of a JSON Schema as one text. */
export function canonicalizeJsonSchema(value: Value): string {
  const top = topPart(value, Spot.top(new Specification(value, [], new Notes(NOWHERE))))
  const forms: Value[] = []
  for (const { document, schemas, unread } of modelSchemas(top)) {
    const canonical = new CanonicalForms(new References(document))
    if (unread !== undefined) forms.push(withoutAnnotations(unread))
    for (const { part, name } of schemas) forms.push([name, canonical.toCanonical(part)])
    if (canonical.isIncomplete) return canonicalText(withoutAnnotations(value), any)
  }
  return canonicalText(forms, any)
}
