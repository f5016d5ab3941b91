// Rules for the properties that only Avro has.

import type { TraitRules } from './trait-rule.ts'

export const AVRO_TRAITS: TraitRules = {}
