import type { CustomFilter } from '../../api/custom-filters.ts'
import { listObjects, nonBlankText } from '../../../formats/data-product/fields.ts'
import { readText } from '../../../formats/text/text.ts'
import { getField, valueAt } from '../../../formats/text/value.ts'

/** Reads the filters of a customization that is being edited; undefined = the text cannot be read. */
export function parseCustomFilters(text: string): CustomFilter[] | undefined {
  const source = readText(text, 'application/yaml')
  if (!source.ok) return undefined
  const filters = listObjects(valueAt(source.value, ['dataProduct', 'customFilters']))
  return filters.flatMap(({ item }) => {
    const displayName = nonBlankText(getField(item, 'displayName'))?.trim()
    const customField = nonBlankText(getField(item, 'customField'))?.trim()
    return displayName === undefined || customField === undefined
      ? []
      : [{ displayName, customField }]
  })
}
