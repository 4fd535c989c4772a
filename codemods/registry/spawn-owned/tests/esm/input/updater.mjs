import { spawn } from 'node:child_process';

// Outlives on purpose, as it seems: left alone.
spawn('updater', [], { detached: true }).unref();
