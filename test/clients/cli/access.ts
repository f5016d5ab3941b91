/** Commands for access agreements. */

import type { CommandRow } from '../command-rows.ts'

const DOCUMENT = {
  id: 'r1',
  info: { purpose: 'reports', startDate: '2026-01-01' },
  provider: { dataProductId: 'orders', outputPortId: 'current' },
  consumer: { teamId: 'b' },
  tags: ['quarterly'],
}

const PATH = '/api/access/r1'

/** The rows. */
export const ACCESS_ROWS: readonly CommandRow[] = [
  {
    command: 'access request',
    args: 'orders current --purpose reports --consumer-team b --roles analyst,admin --id r1'.split(
      ' ',
    ),
    prints: ["Access request 'r1' submitted.", '/access/r1'],
    shows: [
      PATH,
      {
        info: { purpose: 'reports', status: 'requested', active: false },
        roles: ['analyst', 'admin'],
      },
    ],
  },
  {
    command: 'access request',
    args: 'none current --purpose reports --consumer-team b'.split(' '),
    fails: [1, /HTTP 422[\s\S]*Unknown data product/],
  },
  {
    command: 'access request',
    args: 'orders current --purpose mine --consumer-dataproduct orders --id r2'.split(' '),
    caller: 'Um',
    prints: ["Access request 'r2' submitted."],
  },
  {
    command: 'access list',
    prints: [
      /ID ┃ Purpose ┃ Status ┃ Active ┃ Provider/,
      /│ r1 │ reports │ requested │ False │ orders/,
    ],
  },
  {
    command: 'access list',
    args: ['--consumer-type', 'dataProduct', '--provider-dataproduct', 'orders'],
    prints: [/│ r2 │ mine/],
  },
  {
    command: 'access list',
    args: ['--consumer-dataproduct', 'none', '-o', 'json'],
    prints: [/^\[\] ?$/],
  },
  { command: 'access get', args: ['r1'], prints: [/r1/, /requested/] },
  { command: 'access get', args: ['none'], fails: [1, /HTTP 404/] },
  {
    command: 'access approve',
    args: ['r1'],
    prints: ["Access agreement 'r1' approved.", '/access/r1'],
    shows: [PATH, { info: { status: 'approved', active: true } }],
  },
  { command: 'access approve', args: ['r2'], caller: 'Ue', fails: [1, /HTTP 403/] },
  {
    command: 'access put',
    args: ['r1'],
    input: DOCUMENT,
    prints: ["Access agreement 'r1' saved.", '/access/r1'],
    shows: [PATH, { ...DOCUMENT, info: { ...DOCUMENT.info, status: 'approved', active: true } }],
  },
  {
    command: 'access cancel',
    args: ['r1'],
    prints: ["Access agreement 'r1' cancelled.", '/access/r1'],
    shows: [PATH, { info: { status: 'approved', active: false } }],
  },
  {
    command: 'access reject',
    args: ['r2'],
    prints: ["Access agreement 'r2' rejected."],
    shows: ['/api/access/r2', { info: { status: 'rejected', active: false } }],
  },
  {
    command: 'access delete',
    args: ['r1'],
    prints: ["Access agreement 'r1' deleted."],
    shows: [PATH, 404],
  },
  { command: 'access delete', args: ['r1'], fails: [1, /HTTP 404/] },
]
