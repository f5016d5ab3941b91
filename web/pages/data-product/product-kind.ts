import { asText, getField, isObject, valueAt, type Value } from '../../../formats/text/value.ts'
import { toFilledText, type DocumentKind } from '../../documents/document-kind.ts'
import { paths } from '../../paths.ts'
import { lazyPart } from '../../parts/lazy-part.ts'
import { NEWEST_ODPS, PRODUCT_TEMPLATES } from './product-templates.ts'

/** Data products as documents that are edited, compared and kept. */
export const PRODUCT_KIND: DocumentKind = {
  reader: 'data-product',
  called: 'data product',
  permissions: 'DATAPRODUCT',
  deletionNote: 'Its costs and example data are deleted with it and cannot be restored.',
  api: '/api/dataproducts',
  list: { title: 'Data products', href: paths.dataProducts },
  page: paths.dataProduct,
  editPage: paths.editDataProduct,
  versionsPage: paths.dataProductVersions,
  templates: PRODUCT_TEMPLATES,
  getId: (value) =>
    toFilledText(getField(value, 'id')) ?? toFilledText(valueAt(value, ['info', 'id'])),
  getName: (value) =>
    toFilledText(getField(value, 'name')) ??
    toFilledText(valueAt(value, ['info', 'title'])) ??
    toFilledText(valueAt(value, ['info', 'name'])),
  getOwner: (value) =>
    toFilledText(valueAt(value, ['team', 'name'])) ??
    toFilledText(valueAt(value, ['info', 'owner'])) ??
    toFilledText(getField(value, 'teamId')),
  getPaths: (value) =>
    isDps(value)
      ? { status: ['info', 'status'], version: ['info', 'version'] }
      : { status: ['status'], version: ['version'] },
  getNewerVersion: (value) =>
    /^v?(0\.9|1\.0)\./.test(asText(getField(value, 'apiVersion')) ?? '') ? NEWEST_ODPS : undefined,
  formReason,
  // Only the editor needs the form, which is larger than the pages that show a document.
  Form: lazyPart(() => import('./product-form.tsx'), 'ProductForm'),
}

function formReason(value: Value): string | undefined {
  if (isOdps(value)) return undefined
  if (isDps(value)) {
    return 'The form edits ODPS. This document is DPS: edit its source, or convert it to ODPS first.'
  }
  return 'The form edits ODPS. Set apiVersion: v1.1.0 and kind: DataProduct in the source first.'
}

function isOdps(value: Value): boolean {
  return getField(value, 'apiVersion') !== undefined || getField(value, 'kind') === 'DataProduct'
}

function isDps(value: Value): boolean {
  return !isOdps(value) && isObject(getField(value, 'info'))
}
