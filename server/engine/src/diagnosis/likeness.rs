//! How alike two lines are: the pairs of neighbouring characters they share, white space and letter case aside.

/// The pairs of neighbouring characters of a text, as a bag. A text has as many as it has characters, since the first makes a
/// pair with its start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Pairs {
    /// Each by its hash, sorted.
    bag: Vec<u16>,
    /// For each of 256 kinds of hash whether there is one: tells most texts apart without a look at the bag.
    kinds: [u64; 4],
}

impl Pairs {
    pub(crate) fn of(text: &str) -> Self {
        let mut bag = Vec::with_capacity(text.len());
        let mut kinds = [0; 4];
        let mut before = 0_u32;
        for c in text.chars().filter(|it| !it.is_whitespace()) {
            let now = u32::from(c.to_ascii_lowercase());
            let mixed = (before.wrapping_mul(0x9e37_79b1) ^ now).wrapping_mul(0x85eb_ca6b);
            let hash = (mixed >> 16) as u16;
            kinds[usize::from(hash >> 14)] |= 1_u64 << (hash >> 8 & 63);
            bag.push(hash);
            before = now;
        }
        bag.sort_unstable();
        Self { bag, kinds }
    }

    pub(crate) fn len(&self) -> usize {
        self.bag.len()
    }

    /// How many pairs the two have in common.
    pub(crate) fn shared(&self, other: &Self) -> usize {
        if self.bag == other.bag {
            return self.bag.len();
        }
        let (mut a, mut b, mut shared) = (0, 0, 0);
        while let (Some(left), Some(right)) = (self.bag.get(a), other.bag.get(b)) {
            shared += usize::from(left == right);
            a += usize::from(left <= right);
            b += usize::from(right <= left);
        }
        shared
    }

    /// How many they have in common at most: a kind that the other lacks is one pair less at least.
    pub(crate) fn bound(&self, other: &Self) -> usize {
        let lacking = |a: &Self, b: &Self| {
            a.kinds.iter().zip(&b.kinds).map(|(a, b)| (a & !b).count_ones() as usize).sum::<usize>()
        };
        (self.len() - lacking(self, other)).min(other.len() - lacking(other, self))
    }
}

/// The share of two texts' characters that are shared, 0 to 1, given how many are in both and in each.
pub(crate) fn share(shared: usize, a: usize, b: usize) -> f32 {
    if a + b == 0 { 0.0 } else { 2.0 * shared as f32 / (a + b) as f32 }
}

/// How alike two lines are, 0 to 1.
pub(crate) fn alike(a: &str, b: &str) -> f32 {
    let (a, b) = (Pairs::of(a), Pairs::of(b));
    share(a.shared(&b), a.len(), b.len())
}

/// Words that stand alone on lines in any program.
const COMMON: &[&str] = &[
    "begin", "break", "catch", "continue", "def", "default", "do", "done", "else", "end", "endif", "esac", "except",
    "false", "fi", "finally", "for", "if", "let", "nil", "none", "null", "pass", "return", "self", "then", "this",
    "true", "try", "var", "void", "while",
];

/// Whether a line says nothing of where it stands: `}`, `return;`, `} else {`.
pub(crate) fn is_generic(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
    words.all(|it| COMMON.contains(&it.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_is_the_share_of_what_both_have() {
        let alike = |a: &str, b: &str| (alike(a, b) * 100.0).round() as u32;
        assert_eq!(alike("let x = 1;", "  LET x=1;"), 100);
        assert_eq!(alike("abcd", "wxyz"), 0);
        assert_eq!(alike("stowpords", "stopwords"), 67);
        assert_eq!((alike("", ""), alike("}", "}"), alike("}", "{")), (0, 100, 0));
    }

    #[test]
    fn no_more_is_shared_than_the_bound() {
        let lines = ["let total = price * count;", "let price = 3;", "return total", "", "}", "ééé🚀", "aaaaaaaa"];
        for a in lines.map(Pairs::of) {
            for b in lines.map(Pairs::of) {
                assert!(a.shared(&b) <= a.bound(&b));
                assert_eq!(a.shared(&b), b.shared(&a));
            }
        }
    }

    #[test]
    fn lines_that_stand_everywhere_are_generic() {
        for line in ["", "}", "  });", "} else {", "return;", "end if", "/* */"] {
            assert!(is_generic(line), "{line}");
        }
        for line in ["x", "return total;", "end subroutine", "# Title"] {
            assert!(!is_generic(line), "{line}");
        }
    }
}
