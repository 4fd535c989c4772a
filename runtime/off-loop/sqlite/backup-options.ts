/** How far a backup is. */
export interface BackupProgress {
  totalPages: number;
  remainingPages: number;
}

/** How a backup is made. */
export interface BackupOptions {
  /** Which database, where others are attached; `main` by default. */
  attached?: string;
  /** Pages a step; between two steps others may write. 100 by default. */
  pages?: number;
  /** Told after each step. Where it throws, the backup ends and rejects with that. */
  progress?: (info: BackupProgress) => unknown;
}
