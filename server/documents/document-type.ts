import type { Problem } from '../../formats/text/problem.ts'
import type { Plan } from '../history/plan.ts'
import type { DocumentKind } from '../history/revision.ts'
import type { ReadingServices } from '../http/endpoint.ts'
import type { Affected } from '../ports/port.ts'
import type { DocumentTasks } from './task.ts'

/** A kind of document: how it is read, which of its columns are stored, and what a change of it affects. */
export interface DocumentType<Outlook = unknown> {
  kind: DocumentKind
  table: 'data_product' | 'data_contract'
  called: string
  nodesMax: number
  /** The first part of its page addresses. */
  pages: string
  /** The maximum size of a document in bytes. */
  bytesMax: number
  tasks: DocumentTasks<Outlook>
  /** Computes the affected consumers and further warnings for the plan of a change. */
  consequencesOf(work: ReadingServices, change: DocumentChange<Outlook>): Promise<Consequences>
  /** Rejects a deletion while something needs the document. Errors: in_use. */
  refuseUse(work: ReadingServices, organizationId: string, id: string): Promise<void>
  /**
   * Lists the data products that read the document, and their teams. Errors: document_too_costly,
   * overloaded.
   */
  listReaders(
    work: ReadingServices,
    organizationId: string,
    document: { id: string; json: string },
  ): Promise<Affected[]>
}

/** A change that is planned. */
export interface DocumentChange<Outlook> {
  organizationId: string
  id: string
  outlook: Outlook
  /** There is a document already, and it means something else. */
  isUpdate: boolean
}

/** The consequences of a change that its plan reports. */
export type Consequences = Pick<Plan, 'affected'> &
  Partial<Pick<Plan, 'contracts' | 'exports'>> & {
    warnings: readonly Problem[]
  }
