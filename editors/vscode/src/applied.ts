// The batches that this client has seen applied, so that they can be named when one is to be taken back.

export interface AppliedBatch { batchId: string; status: string }

/** The server knows the last 100; so does this. Newest first. */
export class AppliedBatches {
    private batches: AppliedBatch[] = [];

    /** Looks at any answer of the server, and remembers it if it says that something of a batch was applied. */
    note(answer: unknown): void {
        const { batchId, applied, status } = (answer ?? {}) as Record<string, unknown>;
        if (applied !== true || typeof batchId !== "string") return;
        this.forget(batchId);
        this.batches.unshift({ batchId, status: typeof status === "string" ? status : "" });
        this.batches.length = Math.min(this.batches.length, 100);
    }

    forget(batchId: string): void {
        this.batches = this.batches.filter((it) => it.batchId !== batchId);
    }

    clear(): void {
        this.batches = [];
    }

    get all(): readonly AppliedBatch[] {
        return this.batches;
    }
}
