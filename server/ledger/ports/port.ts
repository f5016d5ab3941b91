import { z } from '@hono/zod-openapi'
import type { Position } from '../../../formats/text/problem.ts'
import type { SourceText } from '../../../formats/text/text.ts'
import { formatPath } from '../../../formats/text/value.ts'
import type {
  DataProduct,
  InputPort,
  OutputPort,
} from '../../../formats/data-product/data-product.ts'

/**
 * The ports of data products: an output port provides data under a contract, an input port consumes data
 * under the contract of another product's output port. A port names its contract by id; the contract may be
 * registered later.
 */

const port = z.object({
  direction: z.enum(['input', 'output']),
  id: z.string().openapi({ description: 'What clients look the port up by' }),
  name: z.string(),
  version: z.string().nullable(),
})

/** The contract that a port names; null if it does not exist yet. */
const namedContract = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string().nullable().openapi({ description: "The contract's own words" }),
  status: z.string().nullable(),
  ownerId: z.string().nullable().openapi({ description: 'null = no team owns it' }),
  classifications: z.array(z.string()).openapi({
    description: 'The distinct classifications of its fields, at most 20',
  }),
})

/** A port of a data product, with the contract that it names. */
export const portContract = port
  .extend({
    contractId: z.string(),
    contract: namedContract.nullable().openapi({ description: 'null = there is none yet' }),
  })
  .openapi('PortContract')

/** A port that names a contract. */
const linkedPort = port.extend({ contractId: z.string() })

/** A data product with the ports that name a contract. */
const contractUser = z
  .object({
    id: z.string().openapi({ description: 'The data product' }),
    name: z.string(),
    ownerId: z.string(),
    ownerName: z.string(),
    ports: z.array(linkedPort),
  })
  .openapi('ContractUser')

/** The data products that provide and consume data under a contract. */
export const contractUse = z
  .object({ providers: z.array(contractUser), consumers: z.array(contractUser) })
  .openapi('ContractUse')

/** A data product, team or person that a change concerns. */
export const affectedResource = z.object({
  resourceType: z.enum(['DATA_PRODUCT', 'TEAM', 'USER']),
  id: z.string(),
  name: z.string(),
  ownerId: z.string().nullable().openapi({
    description: 'The owning team; of a team, itself; null for a person',
  }),
  ports: z.array(linkedPort).optional().openapi({
    description: 'The ports by which a data product is concerned',
  }),
  access: z
    .array(z.object({ id: z.string(), outputPortId: z.string() }))
    .optional()
    .openapi({ description: 'The access agreements, active or upcoming, of a consumer' }),
})

/** A contract as ports see it. */
export type NamedContract = z.infer<typeof namedContract>

/** A port and the contract that it names. */
export type PortContract = z.infer<typeof portContract>

/** A data product and its ports that name a contract. */
export type ContractUser = z.infer<typeof contractUser>

/** A data product, team or person that a change concerns. */
export type Affected = z.infer<typeof affectedResource>

/** The data products that provide and consume data under a contract, parsed. */
export type ContractUse = z.infer<typeof contractUse>

/** A port that names a contract, parsed. */
export type LinkedPort = z.infer<typeof linkedPort>

/** Returns the ports of a product that name a contract, output ports first. */
export function linkedPorts({ outputPorts, inputPorts }: DataProduct): LinkedPort[] {
  return [...linked(outputPorts, 'output'), ...linked(inputPorts, 'input')]
}

function linked(
  ports: readonly (InputPort | OutputPort)[],
  direction: LinkedPort['direction'],
): LinkedPort[] {
  return ports.flatMap(({ id, name, version, contractId }) =>
    contractId === undefined ? [] : [{ direction, id, name, version: version ?? null, contractId }],
  )
}

/** The position of a contract id in a product. */
export interface ContractPlace extends Position {
  contractId: string
  /** Dotted: `outputPorts[2].contractId`. */
  field: string
}

/** Finds where a product names contracts. */
export function contractPlaces(source: SourceText, product: DataProduct): ContractPlace[] {
  const name = product.format === 'odps' ? 'contractId' : 'dataContractId'
  return (['inputPorts', 'outputPorts'] as const).flatMap((list) =>
    product[list].flatMap(({ contractId }, at): ContractPlace[] => {
      if (contractId === undefined) return []
      const path = [list, at, name]
      return [{ contractId, field: formatPath(path), ...source.locate(path) }]
    }),
  )
}
