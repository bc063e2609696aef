"""Lab: a character model learns before the class's eyes; a run in the background, its curves, samples and cells."""

from core.corpora import entropy as known_entropy
from widgets.base.frame import Frame, Passage, Preset, Upload
from widgets.training import plots, words
from widgets.training.before import before_a_run
from widgets.training.corpora import corpus_text
from widgets.training.curves import columns
from widgets.training.declared import TrainingDeclaration
from widgets.training.engine import TrainingEngine
from widgets.training.inside import SHOWN, Look, counters, known_part, no_counters, passage
from widgets.training.made_by import changes, made_by
from widgets.training.snapshot import Snapshot
from widgets.training.uploads import CHECKPOINT_MOST, TEXT_MOST

_NORMS = (-3.0, 3.0)
_TO_READ = 800
"""Characters of a corpus that stand where there are no samples yet; they fill the place."""


class TrainingLab(TrainingDeclaration):
    slug = "training"
    title = "Training"
    question = "Does it learn?"
    redraw_button = False
    uploads = (
        Upload(
            "text", "Your own text (UTF-8, up to 200 kB)", ".txt,text/plain", TEXT_MOST, True, "corpus", "own"
        ),
        Upload("checkpoint", "A checkpoint to go on from (.npz)", ".npz", CHECKPOINT_MOST),
    )
    presets = (
        Preset(
            "toy-language", "Toy language",
            "Start: from ln V, guessing, to the grammar’s own entropy in a minute. Scroll the samples.", {}, _NORMS,
        ),
        Preset(
            "agreement", "Agreement",
            "Which distances are learnt first, and where does learning stop? Pin the curve, then train another cell.",
            {"corpus": "agreement", "steps": 1300, "learning_rate": 0.005}, _NORMS,
        ),
        Preset(
            "short-truncation", "Short truncation",
            "No error goes back more than 24 characters: what lies farther is not taught, and guessed by chance.",
            {"corpus": "agreement", "steps": 2500, "truncation": 24, "learning_rate": 0.005}, _NORMS,
        ),
        Preset(
            "tanh-rnn", "Tanh RNN",
            "How far back does it learn to look? Below: where training takes ρ and σ_max of its orthogonal start.",
            {"corpus": "agreement", "cell": "rnn", "steps": 2500, "learning_rate": 0.003}, _NORMS,
        ),
        Preset(
            "no-clipping", "No clipping, high rate",
            "The gradient’s norm explodes, and the loss rises far above guessing. Then set η to 0.02, and start anew.",
            {"cell": "rnn", "clipping": "none", "learning_rate": 0.2}, (-3.0, 14.0),
            {"loss": (0.0, 8.0), "spectrum": (0.0, 140.0)},
        ),
        Preset(
            "code", "Bracketed code",
            "Which trained cell counts best, beside the one wired by hand? Below, inside the net: cells to read.",
            {"corpus": "brackets", "steps": 600, "follows": "bracket depth", "signal": "c"}, _NORMS,
        ),
    )  # fmt: skip

    snapshot: Snapshot | None = None
    """What the run has come to; its engine sets it. None: no engine has looked yet."""

    def engine(self, visitor):
        return TrainingEngine(self, visitor)

    def compute(self) -> Frame:
        run = self._run()
        look, entropy = self._look(run), known_entropy(run.corpus)
        return Frame(
            columns=columns(run, entropy) | (counters(run.model, look) if look else no_counters()),
            readouts=words.readouts(run),
            sentence=words.sentence(self, run, entropy),
            lost=words.lost(run),
            table=words.data_table(run),
            arithmetic=words.arithmetic(run),
            notes=[*words.notes(run), *changes(self, run)],
            passages=lambda: self._passages(run, look),
            buttons=words.buttons(run),
            progress=words.progress(run),
            answers={run.about: run.message} if run.about else {},
            made_by=made_by(self, run),
        )

    def plots(self, sources):
        return plots.plots(sources, _NORMS)

    def stages(self, plot):
        return plot.title in plots.STAGES.get(self.corpus, plots.STAGE)

    def share(self, plot):
        tested = self.corpus == "agreement" == self._run().corpus
        return plots.TESTED_SHARES.get(plot.title, plot.share) if tested else plot.share

    def _run(self) -> Snapshot:
        return self.snapshot or before_a_run(self)

    def _look(self, run: Snapshot) -> Look | None:
        """What is looked at inside the net; None where there is no net yet, or nothing that it could read."""
        model = run.model
        if model is None:
            return None
        text = known_part(model, self.look_at or self._newest_text(run))
        return Look(text, self.layer, self.signal, self.follows, self.unit) if text else None

    def _newest_text(self, run: Snapshot) -> str:
        if run.samples and run.number:
            return run.samples[-1]["text"]
        return self._corpus_begins(SHOWN)

    def _corpus_begins(self, characters: int) -> str:
        return corpus_text(self.corpus)[:characters] if self.corpus != "own" else ""

    def _passages(self, run: Snapshot, look: Look | None) -> list[Passage]:
        to_read = self._corpus_begins(_TO_READ)
        return [words.samples(run, to_read), *([passage(run.model, look)] if look else [])]
