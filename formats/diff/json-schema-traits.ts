// Rules for the properties that only JSON Schema has.

import type { TraitRules } from './trait-rule.ts'

export const JSON_SCHEMA_TRAITS: TraitRules = {}
