import type { ReactNode } from 'react'
import { listObjects } from '../../../formats/data-product/fields.ts'
import { asText, getField, type Value } from '../../../formats/text/value.ts'
import { describeSynonyms } from '../../documents/entry-list.tsx'
import { listMoreFacts } from '../../documents/more-facts.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { Deprecated, Tag } from '../../parts/status.tsx'

// The head of a port and its facts show these, or they only refer to the port.
const SHOWN_OF_PORT: ReadonlySet<string> = new Set(
  `id name version description type status deprecated contractId dataContractId tags synonyms context custom
   location server displayName sourceSystemId containsPii autoApprove replacedBy links`.split(
    /\s+/,
  ),
)

/** Returns the port of a document that was read as the one at a position, with its JSON pointer. */
export function getRawPort(
  document: Value,
  list: 'inputPorts' | 'outputPorts',
  index: number,
): { raw: Value | undefined; pointer: string } {
  const port = listObjects(getField(document, list))[index]
  return { raw: port?.item, pointer: `/${list}/${port?.at ?? index}` }
}

/** Lists the members of a port that its other facts do not show: bills of materials, links, custom properties. */
export function listPortFacts(raw: Value | undefined): (readonly [string, ReactNode])[] {
  return listMoreFacts(raw, SHOWN_OF_PORT)
}

/** Shows the synonyms of a port, as far as the document describes them. */
export function showSynonyms(raw: Value | undefined, synonyms: readonly string[] = []): ReactNode {
  const list = raw === undefined ? undefined : getField(raw, 'synonyms')
  return describeSynonyms(list) ?? synonyms.join(', ')
}

const SHOWN_OF_MANAGEMENT = new Set(['id', 'name', 'description', 'content', 'type', 'deprecated'])

/** The ports by which a product is managed; nothing without any. */
export function ManagementPorts({ value }: { value: Value }) {
  const ports = listObjects(getField(value, 'managementPorts'))
  if (ports.length === 0) return null
  return (
    <Panel title="Management ports" marks={ports.length}>
      <ul className="grid gap-4">
        {ports.map(({ item, at }) => {
          const description = asText(getField(item, 'description'))
          const words = ['content', 'type'].map((name) => asText(getField(item, name)))
          return (
            <li key={`${at}`} className="grid gap-1.5">
              <div className="flex flex-wrap items-center gap-2">
                <h3 className="user-text text-base">
                  {asText(getField(item, 'name')) ?? `Port ${at + 1}`}
                </h3>
                {words.map((word) => word !== undefined && <Tag key={word}>{word}</Tag>)}
                {getField(item, 'deprecated') === true && <Deprecated />}
              </div>
              {description !== undefined && <p className="user-text max-w-prose">{description}</p>}
              <Facts facts={listMoreFacts(item, SHOWN_OF_MANAGEMENT)} />
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
