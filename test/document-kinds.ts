/** Every kind of document with documents for the tests of the protocol that all kinds share. */

import { randomUUID } from 'node:crypto'
import { RECORDS } from '../formats/record/kinds.ts'
import type { RecordKind } from '../formats/record/record-kind.ts'
import { formatPath } from '../formats/text/value.ts'
import { buildRecord } from './records.ts'
import { odcs, odps } from './world.ts'

const MIB = 1024 * 1024

/** A kind of document as the tests of the common protocol use it. */
export interface TestedKind {
  /** The path of its list. */
  list: string
  pages: string
  event: string
  /** A valid document of team `a`, or in it; documents with other tags have another meaning. */
  newDocument(id: string, tags?: readonly string[]): object
  /** Texts of a document `ID` that must be returned byte for byte, each with what is special to it. */
  texts: Readonly<Record<string, string>>
  /** A YAML text of a document `ID`, and the same as JSON. */
  yaml: string
  json: string
  /** Whether the YAML text itself is kept. Otherwise only its JSON form is. */
  keepsYaml: boolean
  /** The field that names the owning or the parent team, and a document whose team does not exist. */
  reference?: { field: string; document: object }
  /** The status of deleting what does not exist. */
  absentStatus: 200 | 404
  bytesMax: number
  /** Whether ids may have slashes. */
  hasSlashIds?: boolean
  /** The field of the id; absent = `id`. */
  idField?: string
  /** Creates an id; absent = any text is one. */
  newId?: () => string
}

/** Every kind of document. */
export const TESTED_KINDS: readonly TestedKind[] = [
  {
    list: '/api/dataproducts',
    pages: 'data-products',
    event: 'DataProduct',
    newDocument: (id, tags = []) => odps(id, { tags }),
    texts: {
      'odd white space':
        '\n {"kind" :"DataProduct",\t"id": "ID" , "name":"X","team":{"name":"a"}  }\n\n',
      'an odd order of keys': '{"team":{"name":"a"},"name":"X","id":"ID","kind":"DataProduct"}',
      escapes: '{"kind":"DataProduct","id":"ID","name":"\\u0058\\/\\n","team":{"name":"\\u0061"}}',
      'unknown fields': '{"kind":"DataProduct","name":"X","team":{"name":"a"},"x":{"y":[null,{}]}}',
      'spelled numbers':
        '{"kind":"DataProduct","name":"X","team":{"name":"a"},"x":[1.0,1e2,-0,1E-7]}',
      'integers of 20 digits':
        '{"kind":"DataProduct","name":"X","team":{"name":"a"},"x":12345678901234567890}',
      'emoji and other scripts': '{"kind":"DataProduct","name":"🚂 Züge 列車","team":{"name":"a"}}',
      'lines that end with CR LF':
        '{\r\n"kind":"DataProduct",\r\n"name":"X",\r\n"team":{"name":"a"}\r\n}\r\n',
      'fields called like parts of JavaScript':
        '{"kind":"DataProduct","name":"X","team":{"name":"a"},"__proto__":{"a":1},"constructor":1,"toString":2}',
    },
    yaml: '# kept\nkind: DataProduct\nid: ID\nname: "Wagons"\nteam: {name: a}\nx: [1.0, 12345678901234567890]\n',
    json: '{"kind":"DataProduct","id":"ID","name":"Wagons","team":{"name":"a"},"x":[1.0,12345678901234567890]}',
    keepsYaml: true,
    reference: { field: 'team.name', document: odps('ID', { team: { name: 'nobody' } }) },
    absentStatus: 404,
    bytesMax: MIB,
  },
  {
    list: '/api/datacontracts',
    pages: 'data-contracts',
    event: 'DataContract',
    newDocument: (id, tags = []) => odcs(id, { tags }),
    texts: {
      'ODCS 2.2.2':
        '{"apiVersion":"v2.2.2","kind":"DataContract","uuid":"ID","datasetName":"x","version":"1","status":"current","datasetDomain":"d","quantumName":"q","userConsumptionMode":"Analytical","datasetKind":"virtualDataset","customProperties":[{"property":"owner","value":"a"}]}',
      'ODCS 3.0.2':
        '{"apiVersion":"v3.0.2","kind":"DataContract","id":"ID","version":"1.0","status":"active","domain":"a"}',
      'ODCS 3.1.0 with odd white space':
        '\n{ "apiVersion":"v3.1.0","kind" :"DataContract","id":"ID","version":"1.0.0","status":"draft",\r\n"team":{"name":"a"}, "x":[1.0,12345678901234567890] }\n',
      'ODCS 3.2.0':
        '{"kind":"DataContract","apiVersion":"v3.2.0","id":"ID","version":"2","status":"active","team":{"name":"a"},"__proto__":{"a":1}}',
      'DCS 0.9.3':
        '{"dataContractSpecification":"0.9.3","id":"ID","info":{"title":"T","version":"0.1","owner":"a"},"schema":{"type":"custom","specification":"any \\u0074hing"}}',
      'DCS 1.2.1':
        '{"dataContractSpecification":"1.2.1","id":"ID","info":{"title":"T","version":"1","owner":"a"},"models":{"m":{"type":"table","fields":{"f":{"type":"text"}}}}}',
    },
    yaml: '# kept\nkind: DataContract\napiVersion: v3.1.0\nid: ID\nversion: 1.0.0\nstatus: active\nteam: {name: a}\n',
    json: '{"kind":"DataContract","apiVersion":"v3.1.0","id":"ID","version":"1.0.0","status":"active","team":{"name":"a"}}',
    keepsYaml: true,
    reference: { field: 'team.name', document: odcs('ID', { team: { name: 'nobody' } }) },
    absentStatus: 404,
    bytesMax: 5 * MIB,
  },
  {
    list: '/api/assets',
    pages: 'assets',
    event: 'Asset',
    newDocument: (id, tags = []) => ({ id, info: { name: `Asset ${id}`, owner: 'a' }, tags }),
    texts: {
      'odd white space': '\n {"id": "ID" ,\t"info":{"name":"X","owner":"a"}  }\n\n',
      'unknown fields': '{"info":{"name":"X","owner":"a","more":[null]},"x":{"y":[{}]}}',
      'spelled numbers': '{"info":{"name":"X","owner":"a"},"x":[1.0,1e2,12345678901234567890]}',
      'fields called like parts of JavaScript':
        '{"info":{"name":"X","owner":"a"},"__proto__":{"a":1},"constructor":1}',
    },
    yaml: `# kept\nid: ID\ninfo: {name: "Wagons", owner: a, version: '1.0'}\nx: [1.0, 12345678901234567890]\n`,
    json: '{"id":"ID","info":{"name":"Wagons","owner":"a","version":"1.0"},"x":[1.0,12345678901234567890]}',
    keepsYaml: true,
    reference: { field: 'info.owner', document: { info: { name: 'x', owner: 'nobody' } } },
    absentStatus: 200,
    bytesMax: MIB,
  },
  {
    list: '/api/teams',
    pages: 'teams',
    event: 'Team',
    newDocument: (id, tags = []) => ({ id, name: 'Fleet', type: 'Domain Team', parent: 'a', tags }),
    texts: {
      'unknown fields and spelled numbers':
        '{"id":"ID","name":"N","type":"Team","custom":{"cost":12345678901234567890,"rate":1.0},"x":{"deep":[1e2]},"__proto__":{"x":1},"constructor":"c"}',
    },
    yaml: 'name: Fleet\ntype: domain\ncustom: {big: 12345678901234567890, rate: 1.0}\n',
    json: '{"id":"ID","name":"Fleet","type":"Domain","custom":{"big":12345678901234567890,"rate":1.0}}',
    keepsYaml: false,
    reference: { field: 'parent', document: { name: 'N', parent: 'nobody' } },
    absentStatus: 404,
    bytesMax: MIB,
  },
  ...RECORDS.map(toTestedKind),
]

function toTestedKind(kind: RecordKind): TestedKind {
  const { collection, pages, event, paths, hasSlashIds = false } = kind
  const plain = JSON.stringify(buildRecord(kind, 'ID')).slice(0, -1)
  const yaml = JSON.stringify(buildRecord(kind, 'ID', { name: 'Wagons' }), null, 1)
  return {
    list: collection,
    pages,
    event,
    newDocument: (id, tags = []) => buildRecord(kind, id, { tags }),
    texts: {
      'odd white space': `\n ${plain.replaceAll(':', ' :\t')}  }\n\n`,
      'unknown fields and spelled numbers': `${plain},"x":{"y":[null,{},1.0,1e2,12345678901234567890]}}`,
      'lines that end with CR LF': `${plain.replaceAll('{', '{\r\n')}\r\n}\r\n`,
      'fields called like parts of JavaScript': `${plain},"__proto__":{"a":1},"constructor":1,"toString":2}`,
    },
    yaml: `# kept\n${yaml}\n`,
    json: JSON.stringify(JSON.parse(yaml)),
    keepsYaml: true,
    ...(paths.owner !== undefined && {
      reference: {
        field: formatPath(paths.owner),
        document: buildRecord(kind, 'ID', { owner: 'nobody' }),
      },
    }),
    absentStatus: 404,
    bytesMax: MIB,
    hasSlashIds,
    idField: formatPath(paths.id),
    ...(kind.hasUuidIds === true && { newId: randomUUID }),
  }
}
