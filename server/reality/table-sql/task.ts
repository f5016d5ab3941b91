import { assetModel } from '../../../formats/asset/model.ts'
import { getProduct } from '../../../formats/asset/asset.ts'
import { buildAsset } from '../../../formats/asset/read.ts'
import { writeAlteration } from '../../../formats/reality/alter/alter-table.ts'
import { readStoredContract, type StoredContract } from '../../catalog/data-contracts/task.ts'
import { readStored } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'
import type { DifferingTable, TableSql } from './table-sql.ts'

/** A contract, and the table that differs from one of its models. */
interface TableSqlInput extends DifferingTable {
  stored: StoredContract
  model: string
}

/** Writes the statements that make a table keep a contract; undefined if its product has no SQL. */
export const writeTableSql: Task<TableSqlInput, TableSql | undefined> = {
  name: 'reality/writeTableSql',
  run({ stored, model, platform, path, asset, findings }) {
    const document =
      asset === null
        ? undefined
        : readStored({ document: asset, mediaType: 'application/json' }).value
    const names: unknown = path === null ? [] : JSON.parse(path)
    const product = document === undefined ? platform : getProduct(buildAsset(document, ''))
    return writeAlteration({
      contract: readStoredContract(stored, true).read.contract,
      model,
      product: product ?? '',
      path: Array.isArray(names) && names.length > 0 ? names.map(String) : [model],
      asset: document === undefined ? undefined : assetModel(document),
      findings,
    })
  },
}
