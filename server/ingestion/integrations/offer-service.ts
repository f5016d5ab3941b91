import { CONNECTORS } from '../../connectors/connectors.ts'
import type { GrantRules } from '../../connectors/grant.ts'
import type { MeasureRules } from '../../connectors/measure.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Database } from '../../platform/tables.ts'
import type { Integration } from './integration.ts'
import { findAssetType } from './offer-store.ts'

/**
 * A feature that a connector has for some products only. A connection shows its product when it is opened; before the first
 * run, the one that the connector is named after is assumed.
 */
type Feature = 'grants' | 'measures'

const REFUSALS: Readonly<Record<Feature, (product: string, others: string) => string>> = {
  grants: (product, others) =>
    `Portbook does not read the grants of ${product}, only those of ${others}.`,
  measures: (product, others) =>
    `Portbook does not count in tables of ${product}, only in those of ${others}.`,
}

/** Whether a feature is offered for the source of an integration. */
interface Offer {
  /** Undefined = it is not offered. */
  rules: GrantRules | MeasureRules | undefined
  /** The product behind the connection, such as `Amazon Redshift`. */
  product: string
}

/** Finds out whether a feature is offered for the product that an integration reads. */
export async function findOffer(
  db: Database,
  organizationId: string,
  { id, source }: Pick<Integration, 'id' | 'source'>,
  feature: Feature,
): Promise<Offer> {
  const description = CONNECTORS.get(source)?.description
  const rules = description?.[feature]
  const title = description?.title ?? source
  if (rules?.exceptions === undefined) return { rules, product: title }
  const type = await findAssetType(db, organizationId, id)
  const exception = [...rules.exceptions].find(
    ([platform]) => type?.startsWith(`${platform}_`) === true,
  )
  if (exception === undefined) return { rules, product: title }
  return { rules: undefined, product: exception[1] }
}

/** Rejects a feature that is not offered for the product that an integration reads. Errors: invalid_state. */
export async function requireOffer(
  db: Database,
  organizationId: string,
  integration: Pick<Integration, 'id' | 'source'>,
  feature: Feature,
): Promise<void> {
  const { rules, product } = await findOffer(db, organizationId, integration, feature)
  if (rules !== undefined) return
  const titles = [...CONNECTORS.values()]
    .filter(({ description }) => description[feature] !== undefined)
    .map(({ description }) => description.title)
  const others = `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`
  throw new ApiError('invalid_state', REFUSALS[feature](product, others))
}
