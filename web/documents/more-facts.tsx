import type { ReactNode } from 'react'
import { asText, getField, isObject, type Value } from '../../formats/text/value.ts'
import { ValueView } from '../parts/value-view.tsx'
import { toLabel } from './to-label.ts'

type Fact = readonly [name: string, value: ReactNode]

/**
 * Lists the members of a part of a document that a page does not show otherwise, as names with their values. Custom
 * properties are listed by their own names; `shown` has names of both.
 */
export function listMoreFacts(raw: Value | undefined, shown: ReadonlySet<string>): Fact[] {
  if (raw === undefined || !isObject(raw)) return []
  return Object.entries(raw).flatMap(([name, value]): Fact[] => {
    if (name === 'customProperties') return listCustomFacts(value, shown)
    return shown.has(name) ? [] : [[toLabel(name), <ValueView key={name} value={value} />]]
  })
}

function CustomValue({ property }: { property: Value }) {
  const description = asText(getField(property, 'description'))
  return (
    <>
      <ValueView value={getField(property, 'value') ?? null} />
      {description !== undefined && <p className="text-sm text-muted">{description}</p>}
    </>
  )
}

function listCustomFacts(list: Value, shown: ReadonlySet<string>): Fact[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item, at): Fact[] => {
    const name = asText(getField(item, 'property'))
    if (name === undefined || shown.has(name)) return []
    const vendor = asText(getField(item, 'vendor'))
    const title = vendor === undefined ? name : `${name} (${vendor})`
    return [[title, <CustomValue key={`${at} ${name}`} property={item} />]]
  })
}
