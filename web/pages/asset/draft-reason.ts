import { holdsSchemas } from '../../parts/asset-types.ts'

const CONTAINER = /_(database|catalog|schema|namespace|dataset)$/

/** Returns why no contract can be drafted from an asset; undefined = one can. */
export function draftReason(asset: {
  type: string
  childCount: number
  isDeleted: boolean
}): string | undefined {
  const { type, childCount, isDeleted } = asset
  if (isDeleted) return 'This asset was removed from its source.'
  if (holdsSchemas(type)) return 'Draft the contract from one of the schemas or tables instead.'
  const container = CONTAINER.exec(type)?.[1]
  if (childCount === 0 && container !== undefined) {
    return `This ${container} has no tables to draft a contract from.`
  }
  return undefined
}
