import { newTable } from '../../formats/name/table.ts'

/** An error of an export, import, backup or restore. Its message is one line for the operator. */
export class TransferError extends Error {
  override readonly name = 'TransferError'
}

const REASONS = newTable<string>({
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it already exists',
  EFBIG: 'the file is too large for the file system',
  EIO: 'the disk reported an error',
  EISDIR: 'it is a folder, not a file',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space left on the disk',
  ENOTDIR: 'it is a file, not a folder',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
})

/** Converts a file system error to a TransferError with the path; returns other errors unchanged. */
export function toTransferError(error: unknown, action: string, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error
  const reason = REASONS[String(error.code)]
  // A connection to the database fails with the same codes.
  if (reason === undefined || error.syscall === 'connect') return error
  return new TransferError(`Cannot ${action} ${path}: ${reason}.`, { cause: error })
}
