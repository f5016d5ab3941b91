// Reads the models of data contracts of any supported format.

import type { Notes } from '../text/problem.ts'
import type { Model } from '../schema/model.ts'
import type { TypeReading } from '../schema/schema-language.ts'
import type { Platform } from '../schema/types/native-type.ts'
import type { ObjectValue } from '../text/value.ts'
import type { ContractFormat } from './data-contract.ts'
import { dcsPlatform, hasModels } from './dcs/read.ts'
import { dcsModels } from './dcs/models.ts'
import { isOdcs2 } from './detect.ts'
import { odcsPlatform } from './odcs/read.ts'
import { odcs2Models } from './odcs/version-2-models.ts'
import { odcsModels } from './odcs/models.ts'
import { specificationModels } from './read-specification.ts'

/**
 * Reads the models of a document; reports their warnings. `otherwise` is how types are read if its servers do not determine
 * their platform.
 */
export function readModels(
  value: ObjectValue,
  format: ContractFormat,
  notes: Notes,
  otherwise: Partial<TypeReading> = {},
): Model[] {
  return format === 'odcs'
    ? readOdcsModels(value, notes, otherwise.platform)
    : readDcsModels(value, notes, otherwise)
}

/**
 * Reads the models of an ODCS document of any version. Without servers that determine it, `otherwise` is the platform of
 * its types.
 */
export function readOdcsModels(value: ObjectValue, notes: Notes, otherwise?: Platform): Model[] {
  const platform = odcsPlatform(value) ?? otherwise
  return isOdcs2(value) ? odcs2Models(value, platform, notes) : odcsModels(value, platform, notes)
}

// A DCS document has its own models, or those of its specification.
function readDcsModels(value: ObjectValue, notes: Notes, otherwise: Partial<TypeReading>): Model[] {
  const found = dcsPlatform(value)
  const server = { ...found, platform: found.platform ?? otherwise.platform }
  if (hasModels(value)) return dcsModels(value, server, notes)
  return specificationModels(value, { ...otherwise, ...server }, notes)
}
