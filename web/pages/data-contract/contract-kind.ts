import { ownerPath } from '../../../formats/data-contract/owner-path.ts'
import { getField, asText, valueAt, type Value } from '../../../formats/text/value.ts'
import { toFilledText, type DocumentKind } from '../../documents/document-kind.ts'
import { paths } from '../../paths.ts'
import { lazyPart } from '../../parts/lazy-part.ts'
import { CONTRACT_TEMPLATES, NEWEST_ODCS } from './contract-templates.ts'

/** Data contracts as documents that are edited, compared and kept. */
export const CONTRACT_KIND: DocumentKind = {
  reader: 'data-contract',
  called: 'data contract',
  permissions: 'DATACONTRACT',
  hasNextSteps: true,
  api: '/api/datacontracts',
  list: { title: 'Data contracts', href: paths.dataContracts },
  page: paths.dataContract,
  editPage: paths.editDataContract,
  versionsPage: paths.dataContractVersions,
  templates: CONTRACT_TEMPLATES,
  getId: (value) => toFilledText(getField(value, 'id')),
  getName: (value) =>
    toFilledText(getField(value, 'name')) ?? toFilledText(valueAt(value, ['info', 'title'])),
  getOwner: (value) => toFilledText(valueAt(value, ownerPath(value))),
  getPaths: (value) =>
    isDcs(value)
      ? { status: ['info', 'status'], version: ['info', 'version'] }
      : { status: ['status'], version: ['version'] },
  getNewerVersion: (value) =>
    /^v?3\.[01]\./.test(asText(getField(value, 'apiVersion')) ?? '') ? NEWEST_ODCS : undefined,
  formReason,
  // Only the editor needs the form, which is larger than the pages that show a document.
  Form: lazyPart(() => import('./contract-form.tsx'), 'ContractForm'),
}

// The form writes ODCS 3, whose models are a list below `schema`.
function formReason(value: Value): string | undefined {
  if (isDcs(value)) {
    return 'The form edits ODCS. This document is DCS: edit its source, or convert it to ODCS first.'
  }
  const isOld = asText(getField(value, 'apiVersion'))?.replace(/^v/, '').startsWith('2.') === true
  if (isOld || getField(value, 'dataset') !== undefined) {
    return 'The form edits ODCS 3. This document is ODCS 2: edit its source.'
  }
  return undefined
}

function isDcs(value: Value): boolean {
  return getField(value, 'dataContractSpecification') !== undefined
}
