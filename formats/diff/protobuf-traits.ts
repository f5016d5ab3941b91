// Rules for the properties that only Protobuf has.

import type { TraitRules } from './trait-rule.ts'

export const PROTOBUF_TRAITS: TraitRules = {}
