// The meaning of a JSON Schema as one text, whatever its annotations, references and unused definitions.

import { canonicalText } from '../canonical.ts'
import { NOWHERE } from '../inspect.ts'
import { Notes } from '../problem.ts'
import { any } from '../shape.ts'
import type { Value } from '../value.ts'
import { CanonicalForms } from './json-schema-canonical.ts'
import { modelSchemas } from './json-schema-documents.ts'
import { References, topPart } from './json-schema-index.ts'
import { withoutAnnotations } from './json-schema-plain.ts'
import { Specification } from './specification.ts'
import { Spot } from './spot.ts'

/** Returns the canonical forms of all models of a JSON Schema as one text. */
export function canonicalizeJsonSchema(value: Value): string {
  const top = topPart(value, Spot.top(new Specification(value, [], new Notes(NOWHERE))))
  const forms: Value[] = []
  for (const { document, schemas } of modelSchemas(top)) {
    const canonical = new CanonicalForms(new References(document))
    for (const { part, name } of schemas) forms.push([name, canonical.formOf(part)])
    if (canonical.isIncomplete) return canonicalText(withoutAnnotations(value), any)
  }
  return canonicalText(forms, any)
}
